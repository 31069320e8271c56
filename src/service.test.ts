import { expect, test } from 'vitest'
import { ConfigError, readConfig } from '#platform/config'
import { freePort } from '#platform/free-port'
import { createLog } from '#platform/log'
import { createTestDatabase } from '#platform/testing/database'
import { startService } from './service.ts'

test('an extended private key is refused before anything has started, and not quoted', async () => {
  const config = readConfig({
    DATABASE_URL: 'postgres://127.0.0.1:1/no-such-database',
    WALLET_XPUB:
      'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
  })
  const error: unknown = await startService(config, createLog({ level: 'silent' }), {
    api: true,
    worker: true,
  }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(ConfigError)
  expect(String(error)).toMatch(/WALLET_XPUB holds an extended private key/)
  expect(String(error)).not.toContain('xprv9s21')
})

test('a worker alone answers probes and Prometheus on WORKER_PORT, and serves nothing else', async () => {
  const { url } = await createTestDatabase()
  const port = await freePort()
  const shared = { DATABASE_URL: url, ENCRYPTION_KEYS: '01'.repeat(32), SIMULATOR_URL: 'http://127.0.0.1:1' }
  const log = createLog({ level: 'silent' })
  const workerWith = (env: Record<string, string>) =>
    startService(readConfig({ ...shared, ...env }), log, { api: false, worker: true })
  const silent = await workerWith({})
  expect(silent.url).toBeUndefined()
  await silent.stop()
  const worker = await workerWith({ WORKER_PORT: String(port) })
  expect(worker.url).toBe(`http://127.0.0.1:${port}`)
  const statusOf = async (path: string) => (await fetch(`${worker.url}${path}`)).status
  expect(await statusOf('/healthz')).toBe(200)
  expect(await statusOf('/readyz')).toBe(200)
  expect(await (await fetch(`${worker.url}/metrics`)).text()).toContain('process_cpu_seconds_total')
  for (const path of ['/docs', '/openapi.json', '/api/v1/openapi/orders'])
    expect(await statusOf(path)).toBe(404)
  await expect(workerWith({ WORKER_PORT: String(port) })).rejects.toThrow(
    /^Cannot listen on HOST .*WORKER_PORT/,
  )
  await worker.stop()
  await expect(statusOf('/healthz')).rejects.toThrow('fetch failed')
})

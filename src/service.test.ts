import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { OperatorError } from '#kernel/operator-error'
import { prepareBusiness } from '#modules/businesses'
import { readConfig } from '#platform/config'
import { freePort } from '#platform/embedded-postgres/free-port'
import { createLog } from '#platform/observability/log'
import { createTestDatabase } from '#platform/testing/database'
import { eventually } from '#platform/testing/until'
import { startService } from './service.ts'

test.each([
  [
    'an extended private key',
    {
      WALLET_XPUB:
        'xprv9s21ZrQH143K3QTDL4LXw2F7HEK3wJUD2nW2nRk4stbPy6cq3jPPqjiChkVvvNKmPGJxWUtg6LnF5kejMRNNU3TGtRBeJgk33yuGBxrMPHi',
    },
    /WALLET_XPUB holds an extended private key/,
  ],
  [
    'what is no encryption key',
    { ENCRYPTION_KEYS: 'xprv9s21' },
    /Key 1 of ENCRYPTION_KEYS must be 32 bytes in base64 or hex/,
  ],
])('%s is refused before anything has started, and not quoted', async (_what, env, reason) => {
  const config = readConfig({ DATABASE_URL: 'postgres://127.0.0.1:1/no-such-database', ...env })
  const error: unknown = await startService(config, createLog({ level: 'silent' }), {
    api: true,
    worker: true,
  }).catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(OperatorError)
  expect(String(error)).toMatch(reason)
  expect(String(error)).not.toContain('xprv9s21')
})

// Proves reference/operations#starting, reference/operations#health.
test('a worker serves probes and metrics on WORKER_PORT and nothing else', async () => {
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

test('links created by a worker point to the API, not to WORKER_PORT', async () => {
  const { url } = await createTestDatabase()
  const ports = { PORT: String(await freePort()), WORKER_PORT: '0' }
  const shared = { DATABASE_URL: url, ENCRYPTION_KEYS: '01'.repeat(32), SIMULATOR_URL: 'http://127.0.0.1:1' }
  const config = readConfig({ ...shared, ...ports })
  const log = createLog({ level: 'silent' })
  const api = await startService(config, log, { api: true, worker: false })
  onTestFinished(() => api.stop())
  const business = prepareBusiness({ name: 'Kowloon Books', timeZone: 'Asia/Hong_Kong', currency: 'HKD' })
  await api.composition.businesses.create(business)
  const call = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { authorization: `Bearer ${business.apiKey}`, 'content-type': 'application/json' }
    const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) }
    return ((await (await fetch(`${api.url}${path}`, init)).json()) as { data: unknown }).data
  }
  const payments = '/svc/payment/api/v1/openapi'
  const customer = { reference_number: 'c-1', name: 'Ada', phone: '1' }
  const made = (await call('POST', `${payments}/customers`, { customer })) as { customer: { uuid: string } }
  const item = (await call('POST', `${payments}/recurring_payments/items`, {
    recurring_item: { label: 'Membership', price: 99, currency: 'HKD' },
  })) as { recurring_item: { id: string } }
  await call('POST', `${payments}/recurring_payments/plan`, {
    plan: {
      name: 'Monthly',
      reference_number: 'm-1',
      customer_uuid: made.customer.uuid,
      default_collection_method: 'charge_automatically',
      payment_retry_count: 3,
      payment_retry_day_period: 2,
      recurring_cycles: [
        {
          billing_count: null,
          recurring_billing_config: 'FREQ=MONTHLY',
          recurring_items: [{ recurring_item_id: item.recurring_item.id, quantity: 1 }],
        },
      ],
    },
  })
  const worker = await startService(config, log, { api: false, worker: true })
  onTestFinished(() => worker.stop())
  const events = async () => JSON.stringify(await call('GET', '/svc/event/api/v1/openapi/events'))
  const shown = await eventually(events, (text) => text.includes('current_payment_link'))
  expect(shown).toContain(`"current_payment_link":"${api.url}/pay/`)
  expect(shown).not.toContain(worker.url)
})

test('a second service with its own simulator on the same database logs what to set, the first logs nothing', async () => {
  const { url } = await createTestDatabase()
  const start = async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'quittance-service-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const shared = { DATABASE_URL: url, ENCRYPTION_KEYS: '01'.repeat(32), PORT: '0' }
    const lines: string[] = []
    const log = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } })
    const config = readConfig({ ...shared, DATA_DIR: dataDir })
    const service = await startService(config, log, { api: true, worker: false })
    onTestFinished(() => service.stop())
    return lines.join('')
  }
  expect(await start()).toBe('')
  expect(await start()).toContain('Set the same SIMULATOR_URL for all of them')
})

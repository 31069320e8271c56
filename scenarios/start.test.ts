import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '#platform/free-port'
import { collectOutput, ROOT, startService, stopProcess, waitUntilReady } from './harness/service.ts'

test('`npm start` ends with npm, and the next start finds the directory free', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'quittance-start-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  const port = await freePort()
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], DATA_DIR: dataDir, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await waitUntilReady(`http://127.0.0.1:${port}/readyz`, npm, collectOutput(npm))
  await stopProcess(npm, 'SIGTERM')
  await expect(fetch(`http://127.0.0.1:${port}/readyz`)).rejects.toThrow('fetch failed')
  const next = await startService({ dataDir })
  await next.stop()
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
})

test('a service whose terminal is closed ends its database, too', async () => {
  const service = await startService()
  const postmaster = join(service.dataDir, 'postgres', 'postmaster.pid')
  expect(existsSync(postmaster)).toBe(true)
  await stopProcess(service.process, 'SIGHUP')
  expect(existsSync(postmaster)).toBe(false)
  await service.stop()
})

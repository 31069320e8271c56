import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { realNowMs } from '#kernel/clock'
import { freePort } from '#platform/embedded-postgres/free-port'
import { eventually } from '#platform/testing/until'
import { Client } from './harness/client.ts'
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

test('a caller who hung up on a clock that is being advanced does not hold up the stop', async () => {
  const service = await startService()
  const client = new Client(service.sandbox)
  const customer = await client.createCustomer()
  await client.bindCard(customer.uuid, '4242424242424242')
  const item = await client.createItem(100)
  await client.createPlan({
    reference_number: 'daily',
    customer_uuid: customer.uuid,
    recurring_cycles: [
      {
        billing_count: null,
        recurring_billing_config: 'FREQ=DAILY',
        recurring_items: [{ recurring_item_id: item, quantity: 1 }],
      },
    ],
  })
  const hangUp = new AbortController()
  const { base_url: url, api_key: key } = service.sandbox
  const advancing = fetch(`${url}/svc/sandbox/api/v1/openapi/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"by":"P10Y"}',
    signal: hangUp.signal,
  })
  await eventually(
    () => client.orders('reference_number:"daily-"'),
    (orders) => orders.length > 10,
  )
  hangUp.abort()
  await expect(advancing).rejects.toThrow('abort')
  const beganAtMs = realNowMs()
  await service.stop()
  expect(realNowMs() - beganAtMs).toBeLessThan(5_000)
})

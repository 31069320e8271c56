import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { realNowMs } from '#kernel/clock'
import { freePort } from '#platform/embedded-postgres/free-port'
import { cleanUp } from '#platform/testing/clean-up'
import { eventually } from '#platform/testing/until'
import { Client } from './harness/client.ts'
import {
  collectOutput,
  REPOSITORY_ROOT,
  startService,
  stopProcess,
  waitUntilReady,
} from './harness/service.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'quittance-start-'))
cleanUp(() => rm(dataDir, { recursive: true }))

// Proves reference/operations#starting, reference/operations#data-directory, reference/operations#stopping.
test('stopping npm stops the service, and the next start can use the data directory', async () => {
  const port = await freePort()
  const npm = spawn('npm', ['start'], {
    cwd: REPOSITORY_ROOT,
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

// Proves reference/operations#stopping.
test('SIGHUP stops the service and its database', async () => {
  const service = await startService({ dataDir })
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid')
  expect(existsSync(pidFile)).toBe(true)
  await stopProcess(service.process, 'SIGHUP')
  expect(existsSync(pidFile)).toBe(false)
  await service.stop()
})

// Proves reference/operations#stopping, reference/sandbox#advancing.
test('an advance whose caller has disconnected does not delay the stop', async () => {
  const service = await startService({ dataDir })
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
  const disconnect = new AbortController()
  const { base_url: url, api_key: key } = service.sandbox
  const advancing = fetch(`${url}/svc/sandbox/api/v1/openapi/clock/advance`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{"by":"P10Y"}',
    signal: disconnect.signal,
  })
  await eventually(
    () => client.orders('reference_number:"daily-"'),
    (orders) => orders.length > 10,
  )
  disconnect.abort()
  await expect(advancing).rejects.toThrow('abort')
  const stopStartedAtMs = realNowMs()
  await service.stop()
  // It would wait 20 s for an advance whose caller is there.
  expect(realNowMs() - stopStartedAtMs).toBeLessThan(18_000)
})

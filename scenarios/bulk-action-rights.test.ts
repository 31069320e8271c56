import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createMigratedDatabase } from '#platform/testing/database'
import {
  putFaults,
  readBooks,
  SimulatorProcess,
  temporaryDirectory,
} from '../src/modules/acquirers/testing/simulator.ts'
import { CheckingClient } from './harness/checking-client.ts'
import { type Client, PAYMENTS } from './harness/client.ts'
import { runCommand } from './harness/command-line.ts'
import { createPerson, signIn } from './harness/people.ts'
import { startService } from './harness/service.ts'

const books = await temporaryDirectory()
const simulator = await SimulatorProcess.start(books.dir)
const dataDir = await mkdtemp(join(tmpdir(), 'quittance-bulk-rights-'))
const service = await startService({
  dataDir,
  env: { DATABASE_URL: await createMigratedDatabase(), RATE_LIMIT: '0', SIMULATOR_URL: simulator.url },
})
const client: Client = new CheckingClient(service.sandbox)
afterAll(async () => {
  await service.stop()
  await simulator.stop('SIGKILL')
  await Promise.all([books.remove(), rm(dataDir, { recursive: true, force: true })])
})

const BULK = `${PAYMENTS}/bulk_actions`
const ORDERS = 40
/** Eight orders are refunded at a time, so that a busy machine takes the right away before all of them are. */
const LATENCY_MS = 3_000
const WITHIN = { timeout: 60_000, interval: 100 }
const LONG = { timeout: 180_000 }

async function paidOrders(prefix: string): Promise<void> {
  const { uuid } = await client.createCustomer()
  const { token } = await client.bindCard(uuid, '4242424242424242')
  for (let index = 0; index < ORDERS; index++) {
    const { number } = await client.createOrder({ reference_number: `${prefix}-${index}` })
    await client.pay(number, token)
  }
}

async function refundsBooked(): Promise<number> {
  return (await readBooks(simulator.url)).filter(({ operation }) => operation === 'refund').length
}

async function bulkAction(id: string) {
  return (await client.ok('GET', `${BULK}/${id}`)).bulk_action
}

function refundAll(prefix: string) {
  return { bulk_action: { action: 'refund', filter: `reference_number = "${prefix}-*"` } }
}

async function attention() {
  return (await client.ok('GET', '/svc/report/api/v1/openapi/attention')).attention
}

// Proves reference/bulk-actions#rights.
test('a revoked key refunds nothing more, and another key refunds the rest once', LONG, async () => {
  await paidOrders('key')
  const { api_key: secret, key_id: keyId } = await runCommand<{ api_key: string; key_id: string }>(service, [
    'keys',
    'create',
    '--app',
    service.sandbox.app_id,
    '--env',
    'test',
    '--scope',
    'payments:write',
  ])
  const before = await refundsBooked()
  await putFaults(simulator.url, { latency_ms: LATENCY_MS })
  const holder = new CheckingClient({ ...service.sandbox, api_key: secret })
  const { id } = (await holder.ok('POST', BULK, refundAll('key'))).bulk_action
  await expect.poll(refundsBooked, WITHIN).toBeGreaterThan(before)
  const early = await client.call('POST', `${BULK}/${id}/take_over`)
  expect([early.status, early.data.error.reason]).toEqual([409, 'bulk_action_not_stopped'])
  await runCommand(service, ['keys', 'revoke', keyId])
  await expect.poll(async () => (await bulkAction(id)).state, WITHIN).toBe('stopped')
  await putFaults(simulator.url, { latency_ms: 0 })
  const stopped = await bulkAction(id)
  expect(stopped).toMatchObject({ total: ORDERS, failed: 0, stop_reason: 'api_key_revoked' })
  expect(stopped.succeeded).toBeLessThan(ORDERS)
  expect((await refundsBooked()) - before).toBe(stopped.succeeded)
  expect(await attention()).toMatchObject([
    { kind: 'stopped_bulk_action', count: 1, items: [{ id, subject: 'refund' }] },
  ])
  const resumed = (await client.ok('POST', `${BULK}/${id}/take_over`)).bulk_action
  expect(resumed).toMatchObject({ state: 'running', stop_reason: null, completed_at: null })
  await expect.poll(async () => (await bulkAction(id)).state, WITHIN).toBe('completed')
  expect(await bulkAction(id)).toMatchObject({ succeeded: ORDERS, failed: 0, amounts: [{ total: 4000 }] })
  expect((await refundsBooked()) - before).toBe(ORDERS)
  expect(await attention()).toEqual([])
})

test(
  'a member whose role is taken away refunds nothing more, and what is left can be canceled',
  LONG,
  async () => {
    await paidOrders('role')
    const email = 'finance@example.com'
    const memberId = await createPerson(service, { email, role: 'finance' })
    const cookie = await signIn(service, email)
    const before = await refundsBooked()
    await putFaults(simulator.url, { latency_ms: LATENCY_MS })
    const begun = await fetch(`${service.sandbox.base_url}${BULK}`, {
      method: 'POST',
      headers: {
        cookie,
        origin: service.sandbox.base_url,
        'content-type': 'application/json',
        'x-p-customer-code': service.sandbox.customer_code,
        'quittance-environment': 'test',
      },
      body: JSON.stringify(refundAll('role')),
    })
    const { data } = (await begun.json()) as { data: { bulk_action: { id: string } } }
    const { id } = data.bulk_action
    await expect.poll(refundsBooked, WITHIN).toBeGreaterThan(before)
    await client.ok('PUT', `/svc/account/api/v1/openapi/members/${memberId}`, {
      member: { test_role: 'read_only', live_role: 'finance' },
    })
    await expect.poll(async () => (await bulkAction(id)).state, WITHIN).toBe('stopped')
    await putFaults(simulator.url, { latency_ms: 0 })
    const stopped = await bulkAction(id)
    expect(stopped.stop_reason).toBe('role_not_allowed')
    expect((await refundsBooked()) - before).toBe(stopped.succeeded)
    expect(stopped.succeeded).toBeLessThan(ORDERS)
    const canceled = (await client.ok('POST', `${BULK}/${id}/cancel`)).bulk_action
    expect(canceled).toMatchObject({ state: 'canceled', stop_reason: null })
    expect(await attention()).toEqual([])
    const late = await client.call('POST', `${BULK}/${id}/take_over`)
    expect([late.status, late.data.error.reason]).toEqual([409, 'bulk_action_not_stopped'])
    expect((await refundsBooked()) - before).toBe(stopped.succeeded)
  },
)

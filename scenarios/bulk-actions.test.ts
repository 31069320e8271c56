import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { createMigratedDatabase } from '#platform/testing/database'
import { startReceiver } from '#platform/testing/receiver'
import {
  putFaults,
  readBooks,
  SimulatorProcess,
  temporaryDirectory,
} from '../src/modules/acquirers/testing/simulator.ts'
import { CheckingClient } from './harness/checking-client.ts'
import { type Client, PAYMENTS } from './harness/client.ts'
import { createBusiness } from './harness/command-line.ts'
import { startService } from './harness/service.ts'

const books = await temporaryDirectory()
const simulator = await SimulatorProcess.start(books.dir)
const dataDir = await mkdtemp(join(tmpdir(), 'quittance-bulk-'))
const env = {
  DATABASE_URL: await createMigratedDatabase(),
  RATE_LIMIT: '0',
  SIMULATOR_URL: simulator.url,
  ALLOW_PRIVATE_WEBHOOKS: '1',
}
let service = await startService({ dataDir, env })
let client: Client = new CheckingClient(service.sandbox)
afterAll(async () => {
  await service.stop()
  await simulator.stop('SIGKILL')
  await Promise.all([books.remove(), rm(dataDir, { recursive: true, force: true })])
})

const BULK = `${PAYMENTS}/bulk_actions`
const PLANS = `${PAYMENTS}/recurring_payments/bulk_actions`
const DELIVERIES = '/svc/event/api/v1/openapi/bulk_actions'
/** A lease of a killed process lasts 30 s. What the resolver has not ended by then is tried 1, 11 and 71 s later. */
const WITHIN = { timeout: 170_000, interval: 100 }
const LONG = { timeout: 360_000 }

interface Bulk {
  id: string
  state: string
  total: number
  succeeded: number
  failed: number
  amounts: { currency: string; total: number }[]
  failures: { id: string; reason: string; message: string }[]
}

async function start(request: object, path = BULK): Promise<Bulk> {
  return (await client.ok('POST', path, { bulk_action: request })).bulk_action
}

async function read(id: string, path = BULK): Promise<Bulk> {
  return (await client.ok('GET', `${path}/${id}`)).bulk_action
}

async function finished({ id }: Bulk, path = BULK): Promise<Bulk> {
  await expect.poll(async () => (await read(id, path)).state, WITHIN).toBe('completed')
  return read(id, path)
}

async function cardOf(number = '4242424242424242') {
  const { uuid } = await client.createCustomer()
  return { uuid, token: (await client.bindCard(uuid, number)).token as string }
}

async function paidOrders(prefix: string, count: number): Promise<string[]> {
  const { token } = await cardOf()
  const made: string[] = []
  for (let index = 0; index < count; index++) {
    const { number } = await client.createOrder({ reference_number: `${prefix}-${index}` })
    await client.pay(number, token)
    made.push(number)
  }
  return made
}

// Proves reference/bulk-actions#selection, reference/bulk-actions#dry-run, reference/bulk-actions#run.
test('a service that is killed in the middle of a bulk refund books each refund once', LONG, async () => {
  const numbers = await paidOrders('fair', 60)
  const { number: unpaid } = await client.createOrder({ reference_number: 'fair-unpaid' })
  const filter = 'reference_number = "fair-*"'
  const dry = await finished(await start({ action: 'refund', filter, dry_run: true }))
  expect(dry).toMatchObject({
    total: 61,
    succeeded: 60,
    failed: 1,
    amounts: [{ currency: 'HKD', total: 6000 }],
    failures: [{ id: unpaid, reason: 'transaction_not_refundable' }],
  })
  expect((await readBooks(simulator.url)).filter(({ operation }) => operation === 'refund')).toEqual([])
  await putFaults(simulator.url, { latency_ms: 1_000 })
  const bulk = await start({ action: 'refund', filter, note: 'The fair was called off' })
  await expect
    .poll(async () => (await readBooks(simulator.url)).filter(isRefund).length, WITHIN)
    .toBeGreaterThan(10)
  await service.stop('SIGKILL')
  const before = (await readBooks(simulator.url)).filter(isRefund).length
  expect(before).toBeLessThan(60)
  await putFaults(simulator.url, { latency_ms: 0 })
  service = await startService({ dataDir, env })
  client = new CheckingClient(service.sandbox)
  const done = await finished(bulk)
  expect(done).toMatchObject({
    total: 61,
    succeeded: 60,
    failed: 1,
    amounts: [{ currency: 'HKD', total: 6000 }],
    failures: [{ id: unpaid, reason: 'transaction_not_refundable' }],
  })
  expect((await readBooks(simulator.url)).filter(isRefund)).toHaveLength(60)
  for (const number of numbers) {
    const order = await client.checkOrder(number)
    expect([order.state, order.refunded_total]).toEqual(['refunded', '100.00'])
    expect(order.transactions.at(-1).note).toBe('The fair was called off')
  }
  const { timeline } = await client.ok('GET', `${PAYMENTS}/orders/${numbers[0]}/timeline`)
  expect(timeline.past[0].request_id).toMatch(/^req_/)
})

function isRefund({ operation }: { operation: string }): boolean {
  return operation === 'refund'
}

test('an unknown outcome is looked at again until it is known', async () => {
  const [number = ''] = await paidOrders('lost', 1)
  await putFaults(simulator.url, { lose_answer: 1 })
  const bulk = await start({ action: 'refund', ids: [number] })
  const types = async () => (await client.events(number)).map(({ type }: { type: string }) => type)
  await expect.poll(types, WITHIN).toContain('transaction.pending')
  await putFaults(simulator.url, { lose_answer: 0 })
  expect(await finished(bulk)).toMatchObject({ succeeded: 1, failed: 0, amounts: [{ total: 100 }] })
  expect(await types()).toContain('transaction.resolved')
  expect((await client.checkOrder(number)).refunded_total).toBe('100.00')
})

test('a refund and a void that the acquirer has no record of are sent again', async () => {
  const [refunded = '', first = '', second = ''] = await paidOrders('unsent', 3)
  const [transaction] = (await client.checkOrder(second)).transactions
  await putFaults(simulator.url, { fail_before: 1 })
  const refund = await start({ action: 'refund', ids: [refunded] })
  const voids = await start({ action: 'void', ids: [first, transaction.uuid] })
  for (const number of [refunded, first, second]) {
    const types = async () => (await client.events(number)).map(({ type }: { type: string }) => type)
    await expect.poll(types, WITHIN).toContain('transaction.pending')
  }
  await putFaults(simulator.url, { fail_before: 0 })
  expect(await finished(refund)).toMatchObject({ succeeded: 1, failed: 0, amounts: [{ total: 100 }] })
  expect(await finished(voids)).toMatchObject({ succeeded: 2, failed: 0, amounts: [{ total: 200 }] })
  expect((await client.checkOrder(refunded)).refunded_total).toBe('100.00')
  expect((await client.checkOrder(first)).state).toBe('voided')
})

test('orders and transactions are voided by their ids, and what is refused keeps its reason', async () => {
  const [first = '', second = '', third = ''] = await paidOrders('void', 3)
  const [transaction] = (await client.checkOrder(third)).transactions
  const ids = [first, second, transaction.uuid, transaction.uuid, 'ord_0']
  const dry = await finished(await start({ action: 'void', ids, dry_run: true }))
  const done = await finished(await start({ action: 'void', ids }))
  const { number } = await client.createOrder()
  for (const bulk of [dry, done]) {
    expect(bulk).toMatchObject({
      total: 4,
      succeeded: 3,
      failed: 1,
      amounts: [{ currency: 'HKD', total: 300 }],
      failures: [{ id: 'ord_0', reason: 'order_not_found' }],
    })
  }
  expect((await client.checkOrder(first)).state).toBe('voided')
  expect((await client.checkOrder(third)).state).toBe('open')
  expect((await client.checkOrder(number)).state).toBe('open')
})

test('plans are canceled by a filter, and deliveries are sent again', async () => {
  const receiver = await startReceiver()
  const { endpoint } = await client.ok('POST', '/svc/event/api/v1/openapi/endpoints', {
    endpoint: { url: receiver.url, types: ['plan.created'] },
  })
  const { uuid } = await client.createCustomer()
  const item = await client.createItem(10)
  const cycle = {
    billing_count: null,
    recurring_billing_config: 'FREQ=MONTHLY',
    recurring_items: [{ recurring_item_id: item, quantity: 1 }],
  }
  for (const name of ['Gold', 'Gold', 'Silver'])
    await client.createPlan({ name, customer_uuid: uuid, recurring_cycles: [cycle] })
  const canceled = await finished(await start({ action: 'cancel', filter: 'name = "Gold"' }, PLANS), PLANS)
  expect(canceled).toMatchObject({ total: 2, succeeded: 2, failed: 0, amounts: [] })
  const { plans } = await client.ok(
    'GET',
    `${PAYMENTS}/recurring_payments/plan?filter=state%20%3D%20canceled`,
  )
  expect(plans).toHaveLength(2)
  await expect.poll(() => receiver.received.length, WITHIN).toBe(3)
  const filter = `endpoint_id = "${endpoint.id}" AND state = delivered`
  await expect
    .poll(
      async () =>
        (await finished(await start({ action: 'redeliver', filter, dry_run: true }, DELIVERIES), DELIVERIES))
          .succeeded,
      WITHIN,
    )
    .toBe(3)
  expect(receiver.received).toHaveLength(3)
  await finished(await start({ action: 'redeliver', filter }, DELIVERIES), DELIVERIES)
  await expect.poll(() => receiver.received.length, WITHIN).toBe(6)
  const { bulk_actions: listed } = await client.ok('GET', PLANS)
  expect(listed.map(({ id }: Bulk) => id)).toEqual([canceled.id])
})

test('actions that begin at the same moment all go on', async () => {
  const [number] = await paidOrders('together', 1)
  const request = { action: 'refund', filter: `number = ${number}`, dry_run: true }
  const begun = await Promise.all([start(request), start(request), start(request)])
  // A lease that nobody works on would last 30 s.
  for (const { id } of begun) {
    await expect.poll(async () => (await read(id)).state, { timeout: 28_000 }).toBe('completed')
  }
})

test('a canceled action leaves the rest undone and cannot be canceled again', async () => {
  await paidOrders('stop', 20)
  await putFaults(simulator.url, { latency_ms: 3_000 })
  const bulk = await start({ action: 'refund', filter: 'reference_number = "stop-*"' })
  await expect.poll(async () => (await read(bulk.id)).state, WITHIN).toBe('running')
  const canceled = await client.ok('POST', `${BULK}/${bulk.id}/cancel`)
  expect(canceled.bulk_action.state).toBe('canceled')
  await putFaults(simulator.url, { latency_ms: 0 })
  const again = await client.call('POST', `${BULK}/${bulk.id}/cancel`)
  expect([again.status, again.data.error.reason]).toEqual([409, 'bulk_action_ended'])
})

test('ids and filter exclude each other, a filter is checked at once, and a stranger sees nothing', async () => {
  const reasonOf = async (bulk_action: object) => {
    const { status, data } = await client.call('POST', BULK, { bulk_action })
    return [status, data.error.reason]
  }
  expect(await reasonOf({ action: 'refund' })).toEqual([400, 'missing_member'])
  expect(await reasonOf({ action: 'refund', ids: ['ord_1'], filter: 'state = open' })).toEqual([
    422,
    'bulk_selection_invalid',
  ])
  expect(await reasonOf({ action: 'refund', filter: 'shoe = 42' })).toEqual([400, 'invalid_filter'])
  const { id } = await start({ action: 'refund', ids: ['ord_1'] })
  const stranger = new CheckingClient(await createBusiness(service))
  for (const [method, path] of [
    ['GET', `${BULK}/${id}`],
    ['POST', `${BULK}/${id}/cancel`],
  ] as const)
    expect((await stranger.call(method, path)).status).toBe(404)
  expect((await client.call('GET', `${PLANS}/${id}`)).status).toBe(404)
})

test('all plans of a price are moved to its new version by one bulk action', async () => {
  const { uuid } = await client.createCustomer()
  const CATALOGUE = '/svc/billing/api/v1/openapi'
  const { product } = await client.ok('POST', `${CATALOGUE}/products`, { product: { name: 'Team' } })
  const created = await client.ok('POST', `${CATALOGUE}/prices`, {
    price: { product_id: product.id, currency: 'HKD', model: 'per_unit', unit_amount: 10 },
  })
  const from = created.price.id
  const cycle = {
    billing_count: null,
    recurring_billing_config: 'FREQ=MONTHLY',
    recurring_items: [{ recurring_item_id: from, quantity: 3 }],
  }
  const plans = []
  for (const start_date of ['2041-01-01', '2041-01-02', '2041-01-03']) {
    plans.push(await client.createPlan({ customer_uuid: uuid, start_date, recurring_cycles: [cycle] }))
  }
  const { id: canceled } = await client.createPlan({ customer_uuid: uuid, recurring_cycles: [cycle] })
  await client.ok('POST', `${PAYMENTS}/recurring_payments/plan/${canceled}/cancel`)
  const { price } = await client.ok('POST', `${CATALOGUE}/prices/${from}/versions`, {
    price: { unit_amount: 12 },
  })
  const change = { replace: [{ from, to: price.id }] }
  const request = { action: 'change', filter: `price_id = "${from}"`, change }
  const outcome = {
    total: 4,
    succeeded: 3,
    failed: 1,
    failures: [{ id: canceled, reason: 'plan_not_changeable' }],
  }
  const dry = await finished(await start({ ...request, dry_run: true }, PLANS), PLANS)
  expect(dry).toMatchObject(outcome)
  const done = await finished(await start(request, PLANS), PLANS)
  expect(done).toMatchObject(outcome)
  const ids = plans.map(({ id }: { id: string }) => id)
  const moved = await finished(await start({ action: 'change', ids, change, dry_run: true }, PLANS), PLANS)
  expect(moved.failures.map(({ reason }) => reason)).toEqual(Array(3).fill('change_inconsistent'))
  const refused = await client.call('POST', PLANS, { bulk_action: { action: 'cancel', ids, change } })
  expect([refused.status, refused.data.error.reason]).toEqual([422, 'bulk_options_invalid'])
})

// Proves reference/bulk-actions#plans.
test('a plan whose change fails in the database holds up no other, and is changed once it can be', async () => {
  const { uuid } = await client.createCustomer()
  const [from, to] = [await client.createItem(10), await client.createItem(20)]
  const cycle = {
    billing_count: null,
    recurring_billing_config: 'FREQ=MONTHLY',
    recurring_items: [{ recurring_item_id: from, quantity: 1 }],
  }
  const ids: string[] = []
  for (const start_date of ['2041-01-01', '2041-01-02', '2041-01-03']) {
    const plan = await client.createPlan({ customer_uuid: uuid, start_date, recurring_cycles: [cycle] })
    ids.push(plan.id)
  }
  const database = new pg.Client({ connectionString: env.DATABASE_URL })
  await database.connect()
  try {
    await database.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$`,
    )
    await database.query(
      `create trigger refuse before delete on recurring_cycle_items for each row
         when (old.plan_id = '${ids[1]}') execute function refuse()`,
    )
    const bulk = await start({ action: 'change', ids, change: { replace: [{ from, to }] } }, PLANS)
    await expect.poll(async () => (await read(bulk.id, PLANS)).succeeded, WITHIN).toBe(2)
    expect((await read(bulk.id, PLANS)).state).toBe('running')
    await database.query('drop function refuse cascade')
    expect(await finished(bulk, PLANS)).toMatchObject({ total: 3, succeeded: 3, failed: 0 })
  } finally {
    await database.end()
  }
})

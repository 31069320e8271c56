import { expect, test } from 'vitest'
import { PAYMENTS } from './harness/client.ts'
import { startScenario } from './harness/scenario.ts'

const { client } = await startScenario({ env: { ACQUIRER_TIMEOUT_MS: '5000' } })
const SANDBOX = '/svc/sandbox/api/v1/openapi'
const NONE = { latency_ms: 0, fail_before_percent: 0, fail_after_percent: 0, lose_answer_percent: 0 }

// Proves reference/sandbox#faults.
test('a fault that is set loses every response until it is set to 0', async () => {
  const customer = await client.createCustomer()
  const { token } = await client.bindCard(customer.uuid, '4242424242424242')
  const lost = { ...NONE, lose_answer_percent: 100 }
  expect(await client.ok('PUT', `${SANDBOX}/faults`, { faults: lost })).toEqual({ faults: lost })
  expect(await client.ok('GET', `${SANDBOX}/faults`)).toEqual({ faults: lost })
  const order = await client.createOrder({ customer_uuid: customer.uuid })
  expect(await client.pay(order.number, token)).toMatchObject({ status: 504 })

  await client.ok('PUT', `${SANDBOX}/faults`, { faults: NONE })
  expect(await client.ok('GET', `${SANDBOX}/faults`)).toEqual({ faults: NONE })
  const other = await client.createOrder({ customer_uuid: customer.uuid })
  expect(await client.pay(other.number, token)).toMatchObject({ status: 200 })
})

// Proves reference/sandbox#what-becomes-due.
test('what an advance would run is listed by kind, and not run', async () => {
  await client.createOrder({ timeout: { timer: 'P2D' } })
  const { clock } = await client.ok('GET', `${SANDBOX}/clock`)
  const inDays = (days: number) =>
    Temporal.Instant.from(clock.now)
      .add({ hours: days * 24 })
      .toString()
  const due = async (days: number) =>
    (await client.ok('GET', `${SANDBOX}/clock/due?to=${encodeURIComponent(inDays(days))}`)).due
  const works = (await due(1)).map(({ work }: { work: string }) => work)
  expect(works).not.toContain('order_expiry')
  const later = await due(3)
  expect(later).toContainEqual({ work: 'order_expiry', next_at: expect.any(String) })
  const { orders } = await client.ok(
    'GET',
    `${PAYMENTS}/orders?filter=${encodeURIComponent('state = "open"')}`,
  )
  expect(orders.length).toBeGreaterThan(0)
})

async function disputed(card: string) {
  const customer = await client.createCustomer()
  const { token } = await client.bindCard(customer.uuid, card)
  const order = await client.createOrder({ customer_uuid: customer.uuid })
  const { data } = await client.pay(order.number, token)
  const filter = encodeURIComponent(`order_number = "${order.number}"`)
  const read = async () => (await client.ok('GET', `${PAYMENTS}/disputes?filter=${filter}`)).disputes[0]
  await expect.poll(read, { timeout: 30_000 }).toBeDefined()
  return { dispute: await read(), uuid: data.transaction.uuid as string }
}

// Proves reference/sandbox#disputes.
test.each([
  ['4000000000002685', 'product_not_received', 'needs_response'],
  ['4000000000007106', 'fraudulent', 'won'],
  ['4000000000007205', 'fraudulent', 'lost'],
])('a charge of %s is disputed as %s: %s', async (card, reason, state) => {
  const { dispute, uuid } = await disputed(card)
  const expected = { reason, state, amount: 100, acquirer_account_id: 'simulator', transaction: { uuid } }
  expect(dispute).toMatchObject(expected)
})

// Proves reference/sandbox#settlements.
test('a settlement of the simulator has differences', async () => {
  const RUN = `${PAYMENTS}/reconciliations/run`
  const simulator = { acquirer_account_id: 'simulator' }
  await client.ok('POST', RUN, simulator)
  await disputed('4000000000007205')
  const results = async () => {
    await client.ok('POST', RUN, simulator)
    const { reconciliations } = await client.ok('GET', `${PAYMENTS}/reconciliations`)
    const count = (name: string) =>
      reconciliations.reduce((sum: number, one: Record<string, number>) => sum + (one[name] ?? 0), 0)
    return ['different_amount', 'missing_here', 'missing_there'].map((name) => count(name) > 0)
  }
  await expect.poll(results, { timeout: 60_000, interval: 500 }).toEqual([true, true, true])
})

test('evidence decides a dispute at the simulator', async () => {
  const { dispute } = await disputed('4000000000000259')
  expect(Date.parse(dispute.respond_by)).toBeGreaterThan(Date.now())
  const path = `${PAYMENTS}/disputes/${dispute.id}`
  const receipt = { name: 'r.pdf', content_type: 'application/pdf', content: 'JVBERi0xLjcK' }
  await client.ok('PUT', `${path}/evidence`, {
    evidence: { uncategorized_text: 'winning_evidence', receipt },
  })
  expect((await client.ok('POST', `${path}/submit`)).dispute).toMatchObject({ state: 'won' })
  expect((await client.call('POST', `${path}/submit`)).status).toBe(409)
})

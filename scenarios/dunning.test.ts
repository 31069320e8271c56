import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { CheckingClient } from './harness/checking-client.ts'
import { startScenario } from './harness/scenario.ts'
import { monthly } from './harness/client.ts'

// Proves reference/billing-dunning#steps, reference/billing-dunning#hard, reference/timelines#next.
const { service } = await startScenario()
const client = new CheckingClient(service.sandbox)

const POLICIES = '/svc/billing/api/v1/openapi/dunning_policies'
const PLANS = '/svc/payment/api/v1/openapi/recurring_payments/plan'
const ZONE = 'Asia/Hong_Kong'
const DECLINING = '4000000000000341'
const STOLEN = '4000000000009979'

async function createPolicy(members: Record<string, unknown>) {
  const { dunning_policy } = await client.ok('POST', POLICIES, {
    dunning_policy: { name: 'Tries', ...members },
  })
  return dunning_policy
}

/** A plan that starts at 14:00 of the next 10 May in Hong Kong, and its customer. */
async function planFrom10May(policyId: string, card: string) {
  const now = (await client.now()).toZonedDateTimeISO(ZONE)
  const tenth = now.with({ month: 5, day: 10, hour: 14, minute: 0, second: 0, millisecond: 0 })
  const start = Temporal.ZonedDateTime.compare(tenth, now) <= 0 ? tenth.add({ years: 1 }) : tenth
  const customer = await client.createCustomer()
  await client.bindCard(customer.uuid, card)
  const plan = await client.createPlan({
    customer_uuid: customer.uuid,
    dunning_policy_id: policyId,
    start_date: start.toInstant().toString(),
    recurring_cycles: monthly(await client.createItem(100)),
  })
  return { plan, customer, start }
}

async function nextOf(planId: string) {
  const { timeline } = await client.ok('GET', `${PLANS}/${planId}/timeline`)
  return timeline.next.map((entry: { at: string | null; kind: string; reason_code: string }) => [
    entry.at === null ? null : local(entry.at),
    entry.kind,
    entry.reason_code,
  ])
}

async function attemptsOf(planId: string): Promise<string[]> {
  const { current_order } = await client.getPlan(planId)
  const order = await client.checkOrder(current_order.order_number)
  return order.transactions.map(({ created_at }: { created_at: string }) => local(created_at))
}

function local(at: string): string {
  const time = Temporal.Instant.from(at).toZonedDateTimeISO(ZONE)
  return time.toPlainDateTime().toString({ smallestUnit: 'minute' }).slice(5)
}

test('steps 3 and 7 days at 09:00: an order of 10 May 14:00 is attempted on 10, 13 and 17 May, as its timeline says', async () => {
  const policy = await createPolicy({
    steps: [
      { after_days: 3, at_time: '09:00' },
      { after_days: 7, at_time: '09:00' },
    ],
    exhausted: 'cancel',
  })
  const { plan, start } = await planFrom10May(policy.id, DECLINING)
  expect(plan).toMatchObject({
    dunning_policy_id: policy.id,
    payment_retry_count: 3,
    payment_retry_day_period: 3,
  })
  await client.advanceTo(start.add({ hours: 1 }).toInstant().toString())
  expect((await nextOf(plan.id)).slice(0, 2)).toEqual([
    ['05-13T09:00', 'attempt.due', 'attempt_failed'],
    ['05-17T09:00', 'plan.cancels', 'no_attempt_left_then_canceled'],
  ])
  const to = start.add({ days: 10 }).toInstant().toString()
  const { due } = await client.ok('GET', `/svc/sandbox/api/v1/openapi/clock/due?to=${to}`)
  expect(
    due.map(({ work, next_at }: { work: string; next_at: string }) => [work, local(next_at)]),
  ).toContainEqual(['recurring', '05-13T09:00'])
  await client.advanceTo(to)
  expect(await attemptsOf(plan.id)).toEqual(['05-10T14:00', '05-13T09:00', '05-17T09:00'])
  expect((await client.getPlan(plan.id)).state).toBe('canceled')
})

test('after a hard decline the timeline says that a card is awaited, and another default card is charged at once', async () => {
  const policy = await createPolicy({ steps: [{ after_days: 5 }] })
  const { plan, customer, start } = await planFrom10May(policy.id, STOLEN)
  const soon = start.add({ days: 1 }).toInstant().toString()
  await client.advanceTo(soon)
  expect((await nextOf(plan.id)).slice(0, 2)).toEqual([
    [null, 'attempt.waits_for_token', 'another_token_needed'],
    ['05-15T14:00', 'plan.becomes_uncollectible', 'no_attempt_left'],
  ])
  const token = await client.bindCard(customer.uuid, '5555555555554444')
  expect(token.default).toBe(false)
  await client.ok('PUT', `/svc/payment/api/v1/openapi/customers/${customer.uuid}`, {
    name: 'Ada',
    phone: '5550100',
    default_payment_token: token.token,
  })
  await client.advanceBy('PT1S')
  expect(await attemptsOf(plan.id)).toEqual(['05-10T14:00', '05-11T14:00'])
  expect((await client.getPlan(plan.id)).state).toBe('active')
})

test.each([
  [{ steps: [{ after_days: 0 }] }, 400, 'dunning_policy.steps[0].after_days'],
  [{ steps: [{ days_of_month: [32] }] }, 400, 'dunning_policy.steps[0].days_of_month[0]'],
  [{ steps: [{ after_days: 1, at_time: '9:00' }] }, 400, 'dunning_policy.steps[0].at_time'],
  [{ steps: [{ after_days: 1 }], hard: 'never' }, 400, 'dunning_policy.hard'],
  [{ steps: [{ after_days: 1 }], retries: 3 }, 400, 'dunning_policy.retries'],
  [{ steps: [] }, 422, 'dunning_policy.steps'],
  [{ steps: [{ after_days: 7 }, { after_days: 3 }] }, 422, 'dunning_policy.steps[1].after_days'],
])('the policy %j is %i and names %s', async (members, status, param) => {
  const reply = await client.call('POST', POLICIES, { dunning_policy: { name: 'Tries', ...members } })
  expect([reply.status, reply.data.error.param]).toEqual([status, param])
})

test('a reference that another policy has is refused with the id of the first', async () => {
  const members = { steps: [{ after_days: 1 }], reference_id: `r-${randomUUID()}` }
  const first = await createPolicy(members)
  const reply = await client.call('POST', POLICIES, { dunning_policy: { name: 'Again', ...members } })
  expect([reply.status, reply.data.dunning_policy]).toEqual([409, { id: first.id }])
})

import { expect, test } from 'vitest'
import { adminOf, untilWaiting } from '#platform/testing/database'
import { reasonOf } from '#platform/testing/requests'
import { CARDS, createFixture, Shop } from '../testing/fixture.ts'
import type { NewDunningPolicy } from '#modules/catalogue'

const fixture = await createFixture()
const { recurring, db } = fixture
/** 10:00 in Hong Kong. */
const START = '2031-05-10T02:00:00Z'
const POOR = '4000000000009995'

async function subscribe(
  shop: Shop,
  rules: Partial<NewDunningPolicy>,
  options: { card?: string; plan?: object } = {},
) {
  const { dunning_policy: policy } = await recurring.createPolicy(shop.caller, {
    name: 'Tries',
    steps: [{ after_days: 3 }, { after_days: 7 }],
    ...rules,
  })
  const customer = await shop.customer(options.card)
  const plan = await shop.plan(customer, { dunning_policy_id: policy.id, grace_period: 5, ...options.plan })
  return { policy, customer, plan }
}

/** The time and the code of each transaction of the plan's first order. */
async function attempts(shop: Shop, planId: string): Promise<string[]> {
  const [order] = await shop.orders(planId)
  return (order?.transactions ?? []).map(
    ({ created_at: at, payment_data: { resp_code: code } }) => `${at.slice(5, 16)} ${code}`,
  )
}

async function nextOf(shop: Shop, planId: string) {
  const { steps } = await db.transact(shop.caller.businessId, (tx) => recurring.readPlanSteps(tx, planId))
  return steps.flatMap((step) =>
    step.kind === 'bill' ? [] : [`${step.kind}${'at' in step ? ` ${step.at.toString().slice(5, 16)}` : ''}`],
  )
}

// Proves reference/billing-dunning#steps, reference/billing-dunning#exhausted.
test('attempts are made at the steps of the policy, then the plan is uncollectible, and grace ends as ever', async () => {
  const shop = await Shop.open(fixture, START)
  const steps = [
    { after_days: 3, at_time: '09:00' },
    { after_days: 7, at_time: '09:00' },
  ]
  const { plan } = await subscribe(shop, { steps }, { card: CARDS.declining })
  expect([plan.payment_retry_count, plan.payment_retry_day_period]).toEqual([3, 3])
  await shop.advance('2031-05-11T00:00:00Z')
  expect(await nextOf(shop, plan.id)).toEqual(['attempt 05-13T01:00', 'exhaustion 05-17T01:00'])
  await shop.advance('2031-06-20T00:00:00Z')
  expect(await attempts(shop, plan.id)).toEqual([
    '05-10T02:00 card_declined',
    '05-13T01:00 card_declined',
    '05-17T01:00 card_declined',
  ])
  const [order] = await shop.orders(plan.id)
  expect((await shop.events(plan.id)).map(({ type, at }) => `${at.slice(5, 16)} ${type}`)).toContain(
    '05-17T01:00 cycle.uncollectible',
  )
  expect((await shop.events(order?.number ?? '')).at(-1)).toMatchObject({
    type: 'order.voided',
    at: '2031-05-22T01:00:00.000Z',
  })
  expect(await shop.breaches()).toEqual([])
})

test('exhausted: cancel cancels the plan, whose order stays payable until its grace ends', async () => {
  const shop = await Shop.open(fixture, START)
  const { plan, customer } = await subscribe(shop, { exhausted: 'cancel' }, { card: CARDS.declining })
  await shop.advance('2031-05-11T00:00:00Z')
  expect(await nextOf(shop, plan.id)).toEqual(['attempt 05-13T02:00', 'exhaustion 05-17T02:00'])
  await shop.advance('2031-05-18T00:00:00Z')
  expect((await shop.get(plan.id)).state).toBe('canceled')
  expect((await shop.events(plan.id)).map(({ type }) => type)).not.toContain('cycle.uncollectible')
  const [order] = await shop.orders(plan.id)
  await shop.pay(order?.number ?? '', await shop.bind(customer, CARDS.good))
  await shop.advance('2031-07-01T00:00:00Z')
  expect((await shop.orders(plan.id)).map(({ state }) => state)).toEqual(['completed'])
  expect(await shop.breaches()).toEqual([])
})

test('exhausted: cancel bills the lines of changes that wait, as every cancellation does', async () => {
  const shop = await Shop.open(fixture, START)
  const { plan } = await subscribe(shop, { exhausted: 'cancel' }, { card: CARDS.declining })
  await shop.advance('2031-05-11T00:00:00Z')
  const recurring_items = [{ quantity: 1, recurring_item_id: await shop.item(250) }]
  await recurring.change(shop.caller, plan.id, { recurring_items, proration: 'next_order' })
  await shop.advance('2031-05-17T01:59:59Z')
  expect(await shop.orders(plan.id)).toHaveLength(1)
  await shop.advance('2031-05-17T02:00:00Z')
  expect((await shop.get(plan.id)).state).toBe('canceled')
  const orders = await shop.orders(plan.id)
  expect(orders.map(({ billing }) => billing?.kind)).toEqual(['period', 'change'])
  expect(await shop.breaches()).toEqual([])
})

// Proves reference/billing-dunning#soft.
test('insufficient funds are tried again on payday', async () => {
  const shop = await Shop.open(fixture, START)
  const payday = { days_of_month: [15, 31], at_time: '06:00' }
  const soft = [{ decline_codes: ['insufficient_funds'], steps: [payday, payday] }]
  const { plan } = await subscribe(shop, { soft }, { card: POOR })
  await shop.advance('2031-05-11T00:00:00Z')
  expect(await nextOf(shop, plan.id)).toEqual(['attempt 05-14T22:00', 'exhaustion 05-30T22:00'])
  await shop.advance('2031-06-20T00:00:00Z')
  expect(await attempts(shop, plan.id)).toEqual([
    '05-10T02:00 insufficient_funds',
    '05-14T22:00 insufficient_funds',
    '05-30T22:00 insufficient_funds',
  ])
  expect((await shop.get(plan.id)).state).toBe('uncollectible')
  expect(await shop.breaches()).toEqual([])
})

// Proves reference/billing-dunning#hard.
test('after a hard decline nothing is attempted until another token is default, which is charged at once', async () => {
  const shop = await Shop.open(fixture, START)
  const { plan, customer } = await subscribe(shop, {}, { card: CARDS.stolen })
  await shop.advance('2031-05-15T00:00:00Z')
  expect(await attempts(shop, plan.id)).toEqual(['05-10T02:00 stolen_card'])
  expect((await shop.get(plan.id)).state).toBe('past_due')
  expect(await nextOf(shop, plan.id)).toEqual(['token_awaited', 'exhaustion 05-17T02:00'])
  expect((await shop.get(plan.id)).next_execute_time).toBe('2031-06-10T02:00:00.000Z')
  await shop.bind(customer, CARDS.good)
  await shop.advance('2031-05-15T00:00:01Z')
  expect((await attempts(shop, plan.id)).map((one) => one.slice(0, 11))).toEqual([
    '05-10T02:00',
    '05-15T00:00',
  ])
  expect((await shop.get(plan.id)).state).toBe('active')
  expect(await shop.breaches()).toEqual([])
})

test('an order of a customer without a token waits without any transaction, and is exhausted at the last step', async () => {
  const shop = await Shop.open(fixture, START)
  const { plan } = await subscribe(shop, {})
  await shop.advance('2031-05-17T01:59:59Z')
  expect((await shop.get(plan.id)).state).toBe('past_due')
  expect(await reasonOf(recurring.retry(shop.caller, plan.id, null))).toBe('done')
  await shop.advance('2031-05-17T02:00:00Z')
  expect((await shop.get(plan.id)).state).toBe('uncollectible')
  expect(await attempts(shop, plan.id)).toEqual([])
  await shop.advance('2031-07-01T00:00:00Z')
  expect((await shop.orders(plan.id)).map(({ state }) => state)).toEqual(['voided'])
  expect((await shop.events(plan.id)).map(({ type, at }) => `${at.slice(5, 10)} ${type}`)).toEqual([
    '05-10 plan.created',
    '05-10 cycle.activated',
    '05-10 cycle.past_due',
    '05-17 plan.updated',
    '05-17 cycle.uncollectible',
  ])
  expect(await shop.breaches()).toEqual([])
})

test('a token that arrives while an order waits makes its first attempt, and the steps left follow', async () => {
  const shop = await Shop.open(fixture, START)
  const { plan, customer } = await subscribe(shop, {})
  await shop.advance('2031-05-12T00:00:00Z')
  await shop.bind(customer, CARDS.declining)
  await shop.advance('2031-06-01T00:00:00Z')
  expect(await attempts(shop, plan.id)).toEqual([
    '05-12T00:00 card_declined',
    '05-13T02:00 card_declined',
    '05-17T02:00 card_declined',
  ])
  expect(await shop.breaches()).toEqual([])
})

test('hard: step follows the steps, and records attempts without a call', async () => {
  const shop = await Shop.open(fixture, START)
  const { plan } = await subscribe(shop, { hard: 'step' }, { card: CARDS.stolen })
  await shop.advance('2031-06-01T00:00:00Z')
  expect(await attempts(shop, plan.id)).toEqual([
    '05-10T02:00 stolen_card',
    '05-13T02:00 stolen_card',
    '05-17T02:00 stolen_card',
  ])
})

// Proves reference/billing-dunning#new-token.
test('another default token makes the next attempt of a past-due order at once, and later steps keep their times', async () => {
  const shop = await Shop.open(fixture, START)
  const { plan, customer } = await subscribe(shop, {}, { card: CARDS.declining })
  await shop.advance('2031-05-11T00:00:00Z')
  await shop.bind(customer, CARDS.declining)
  await shop.advance('2031-06-01T00:00:00Z')
  expect((await attempts(shop, plan.id)).map((one) => one.slice(0, 11))).toEqual([
    '05-10T02:00',
    '05-11T00:00',
    '05-17T02:00',
  ])
  expect(await shop.breaches()).toEqual([])
})

test('new_token: wait leaves the time of the next attempt, and ends the wait for a token', async () => {
  const shop = await Shop.open(fixture, START)
  const rules = { new_token: 'wait' } as const
  const declining = await subscribe(shop, rules, { card: CARDS.declining })
  const stolen = await subscribe(shop, rules, { card: CARDS.stolen })
  await shop.advance('2031-05-11T00:00:00Z')
  await shop.bind(declining.customer, CARDS.good)
  await shop.bind(stolen.customer, CARDS.good)
  await shop.advance('2031-06-01T00:00:00Z')
  for (const { plan } of [declining, stolen]) {
    expect((await attempts(shop, plan.id)).map((one) => one.slice(0, 11))).toEqual([
      '05-10T02:00',
      '05-13T02:00',
    ])
    expect((await shop.get(plan.id)).state).toBe('active')
  }
})

test('a token that was set while an attempt with the old one was under way is charged once that has failed', async () => {
  const shop = await Shop.open(fixture, START)
  const { plan, customer } = await subscribe(shop, {}, { card: CARDS.silentUnbooked })
  await shop.advance(START)
  await shop.bind(customer, CARDS.good)
  await shop.advance('2031-05-12T00:00:00Z')
  const [order] = await shop.orders(plan.id)
  expect(order?.state).toBe('completed')
  expect(order?.transactions).toHaveLength(2)
  expect(await shop.breaches()).toEqual([])
})

// Proves reference/billing-dunning#editing.
test('an edit of a policy leaves the time that was set, and counts attempts from then on', async () => {
  const shop = await Shop.open(fixture, START)
  const { policy, plan } = await subscribe(shop, {}, { card: CARDS.declining })
  await shop.advance('2031-05-11T00:00:00Z')
  const steps = [5, 8, 9].map((days) => ({ after_days: days }))
  await recurring.editPolicy(shop.caller, policy.id, { steps })
  expect(await shop.get(plan.id)).toMatchObject({ payment_retry_count: 4, payment_retry_day_period: 5 })
  await shop.advance('2031-06-01T00:00:00Z')
  expect((await attempts(shop, plan.id)).map((one) => one.slice(0, 11))).toEqual([
    '05-10T02:00',
    '05-13T02:00',
    '05-18T02:00',
    '05-19T02:00',
  ])
})

test('a plan without its policy goes on by its own two numbers, and one that takes a policy by the number of attempts', async () => {
  const shop = await Shop.open(fixture, START)
  const { policy, plan } = await subscribe(shop, {}, { card: CARDS.declining })
  const other = await shop.plan(await shop.customer(CARDS.declining), { payment_retry_day_period: 1 })
  await shop.advance('2031-05-10T03:00:00Z')
  const without = await recurring.edit(shop.caller, plan.id, { dunning_policy_id: null })
  expect(without.plan).toMatchObject({ payment_retry_count: 3, payment_retry_day_period: 2 })
  expect(without.plan).not.toHaveProperty('dunning_policy_id')
  await shop.advance('2031-05-11T03:00:00Z')
  await recurring.edit(shop.caller, other.id, { dunning_policy_id: policy.id })
  await shop.advance('2031-06-01T00:00:00Z')
  const times = async (id: string) => (await attempts(shop, id)).map((one) => one.slice(0, 11))
  expect(await times(plan.id)).toEqual(['05-10T02:00', '05-13T02:00', '05-15T02:00'])
  expect(await times(other.id)).toEqual(['05-10T02:00', '05-11T02:00', '05-12T02:00'])
})

test('a paused order makes one overdue attempt when the plan resumes, and its past steps are skipped', async () => {
  const shop = await Shop.open(fixture, START)
  const steps = [3, 4, 20].map((days) => ({ after_days: days }))
  const { plan } = await subscribe(shop, { steps }, { card: CARDS.declining })
  await shop.advance('2031-05-11T00:00:00Z')
  await recurring.pause(shop.caller, plan.id)
  expect(await nextOf(shop, plan.id)).toEqual(['paused'])
  await shop.advance('2031-05-20T00:00:00Z')
  await recurring.resume(shop.caller, plan.id)
  await shop.advance('2031-06-01T00:00:00Z')
  expect((await attempts(shop, plan.id)).map((one) => one.slice(0, 11))).toEqual([
    '05-10T02:00',
    '05-20T00:00',
    '05-30T02:00',
  ])
})

/** Runs `first` and then `second` up to the lock of the plan, and lets them go on in this order. */
async function race(
  shop: Shop,
  planId: string,
  first: () => Promise<unknown>,
  second: () => Promise<unknown>,
) {
  const node = await adminOf(fixture, shop.caller.businessId)
  await node.query('begin')
  await node.query('select from recurring_plans where id = $1 for update', [planId])
  const running = [first()]
  await untilWaiting(node, 1)
  running.push(second())
  await untilWaiting(node, 2)
  await node.query('commit')
  await Promise.all(running)
}

test('a token that becomes default after the job has read the tokens is charged and not overlooked', async () => {
  const shop = await Shop.open(fixture, START)
  const { plan, customer } = await subscribe(shop, {})
  await shop.advance('2031-05-12T00:00:00Z')
  const lastStep = '2031-05-17T02:00:00Z'
  await shop.jump(lastStep)
  const bind = () => shop.bind(customer, CARDS.good)
  await race(shop, plan.id, bind, () => shop.advance(lastStep))
  expect((await attempts(shop, plan.id)).map((one) => one.slice(0, 11))).toEqual(['05-17T02:00'])
  expect((await shop.get(plan.id)).state).toBe('active')
  expect(await shop.breaches()).toEqual([])
})

test('a policy that is edited while an attempt is being made decides what follows it', async () => {
  const shop = await Shop.open(fixture, START)
  const { policy, plan } = await subscribe(shop, {}, { card: CARDS.declining })
  await shop.advance('2031-05-12T00:00:00Z')
  const node = await adminOf(fixture, shop.caller.businessId)
  await node.query('begin')
  await node.query('select from recurring_plans where id = $1 for update', [plan.id])
  const attempt = shop.advance('2031-05-13T02:00:00Z')
  await untilWaiting(node, 1)
  await recurring.editPolicy(shop.caller, policy.id, { steps: [{ after_days: 1 }, { after_days: 30 }] })
  await node.query('commit')
  await attempt
  expect(await nextOf(shop, plan.id)).toEqual(['attempt 06-09T02:00', 'exhaustion 06-09T02:00'])
})

import { expect, test } from 'vitest'
import { runClock } from '#platform/testing/clock'
import { CARDS, createFixture, Shop, planOf } from '../../billing/testing/fixture.ts'

const fixture = await createFixture()
const { recurring } = fixture

const NOW = '2031-01-01T00:00:00Z'
const BILLED = '2031-01-01T18:00:00.000Z'

/** A weekly plan that the job has billed 18 hours ahead of the clock, as an advancing clock does (sandbox/clock/next-step.ts). */
async function planAhead(card: string): Promise<{ shop: Shop; planId: string; customer: string }> {
  const shop = await Shop.open(fixture, NOW)
  const customer = await shop.customer(card)
  const weekly = await shop.cycle({ recurring_billing_config: 'FREQ=WEEKLY' })
  const { id: planId } = await shop.plan(customer, {
    start_date: BILLED,
    grace_period: 1,
    recurring_cycles: [weekly],
  })
  const until = Temporal.Instant.from(BILLED).add({ hours: 2 })
  await recurring.jobs[0]?.run({ businessId: shop.caller.businessId, until, timeOf: (dueAt) => dueAt })
  expect((await shop.orders(planId)).map(({ created_at: at }) => at)).toEqual([BILLED])
  return { shop, planId, customer }
}

async function timesOfEvents(shop: Shop, planId: string): Promise<string[]> {
  return (await shop.events(planId)).map(({ at, type }) => `${at.slice(0, 16)} ${type}`)
}

// Proves reference/recurring#cancel, reference/recurring#pause, reference/sandbox#advancing.
test('the grace of a plan whose last order is ahead of the clock begins at that order when the plan is canceled', async () => {
  const { shop, planId } = await planAhead(CARDS.declining)
  await recurring.cancel(shop.caller, planId, false)
  expect((await timesOfEvents(shop, planId)).at(-1)).toBe('2031-01-01T18:00 plan.canceled')
  await shop.advance('2031-01-09T00:00:00Z')
  const [order] = await shop.orders(planId)
  expect((await shop.events(order?.number ?? '')).at(-1)).toMatchObject({
    type: 'order.voided',
    at: '2031-01-02T18:00:00.000Z',
  })
})

test('a cancellation at the period end ends the period that is billed already, not the one before', async () => {
  const { shop, planId } = await planAhead(CARDS.good)
  expect(planOf(await recurring.cancel(shop.caller, planId, true))).toMatchObject({
    state: 'active',
    cancel_at: '2031-01-08T18:00:00.000Z',
  })
})

test('a plan whose last order is ahead of the clock is paused and resumed at the time of that order', async () => {
  const { shop, planId } = await planAhead(CARDS.good)
  await recurring.pause(shop.caller, planId)
  const resumed = planOf(await recurring.resume(shop.caller, planId))
  expect(resumed).toMatchObject({ updated_at: BILLED, next_execute_time: '2031-01-08T18:00:00.000Z' })
  expect(await timesOfEvents(shop, planId)).toEqual([
    '2031-01-01T00:00 plan.created',
    '2031-01-01T18:00 cycle.activated',
    '2031-01-01T18:00 plan.paused',
    '2031-01-01T18:00 plan.resumed',
  ])
})

test('a payment of an order that is ahead of the clock activates its cycle at the time of that order', async () => {
  const { shop, planId, customer } = await planAhead(CARDS.declining)
  const [order] = await shop.orders(planId)
  await shop.pay(order?.number ?? '', await shop.bind(customer, CARDS.good))
  expect(await timesOfEvents(shop, planId)).toEqual([
    '2031-01-01T00:00 plan.created',
    '2031-01-01T18:00 cycle.activated',
    '2031-01-01T18:00 cycle.past_due',
    '2031-01-01T18:00 cycle.activated',
  ])
})

test('updated_at of a plan never goes back under concurrent changes', async () => {
  const shop = await Shop.open(fixture, '2020-01-01T00:00:00Z')
  const { id } = await shop.plan(await shop.customer(), { start_date: '2099-01-01' })
  await runClock(fixture.db, shop.caller.businessId)
  const turns = Array.from({ length: 60 }, async (_, index) => {
    const change = index % 2 === 0 ? recurring.pause(shop.caller, id) : recurring.resume(shop.caller, id)
    await change.catch(() => {})
  })
  await Promise.all(turns)
  const times = (await shop.events(id)).flatMap(({ data }) => data.plan?.updated_at ?? [])
  expect(times.length).toBeGreaterThan(2)
  expect(times).toEqual(times.toSorted())
})

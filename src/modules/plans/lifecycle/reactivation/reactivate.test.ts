import { expect, test } from 'vitest'
import type { BillingConfig } from '#kernel/billing-config'
import { reasonOf, refusalOf } from '#platform/testing/requests'
import { accepted } from '../../errors.ts'
import { cancel, pause } from '../decide-lifecycle.ts'
import { CARDS, createFixture, planOf, Shop } from '../../../billing/testing/fixture.ts'
import { at, type CycleOptions, MONTHLY, newAggregate } from '../../testing/plan-aggregates.ts'
import { PlanSimulation } from '../../testing/plan-simulation.ts'
import { reactivate } from './reactivate.ts'

// Proves reference/billing-lifecycle#reactivate.

const DAILY: BillingConfig = { ...MONTHLY, billing_interval: 'day' }

function planFrom(start: string, cycles: readonly CycleOptions[] = [{}], zone = 'UTC'): PlanSimulation {
  return new PlanSimulation(newAggregate({ start: at(start), zone, cycles }))
}

function cancelOn(plan: PlanSimulation, time: string, atPeriodEnd = false): void {
  plan.runUntil(at(time))
  plan.update(cancel(plan.aggregate, plan.now, atPeriodEnd))
}

function reactivateOn(plan: PlanSimulation, time: string, from: 'now' | 'missed'): void {
  plan.runUntil(at(time))
  plan.update(accepted(reactivate(plan.aggregate, from, plan.now)).aggregate)
}

/** The orders made after the reactivation, as the beginning of their period and the time at which they were made. */
function ordersSince(plan: PlanSimulation, time: string): string[] {
  return plan.billedPeriods.flatMap((period, index) => {
    const made = plan.times('order')[index] ?? ''
    return made < time ? [] : [`${period.toString().slice(0, 16)} on ${made.slice(0, 16)}`]
  })
}

test('from now the first period begins at the reactivation, with the rest of the count', () => {
  const plan = planFrom('2027-01-31T10:00:00Z', [{ billingCount: 12 }])
  cancelOn(plan, '2027-03-20T00:00:00Z')
  reactivateOn(plan, '2027-05-10T08:00:00Z', 'now')
  expect(plan.events.slice(-2).map(({ what }) => what)).toEqual(['plan.reactivated', 'cycle.activated 1'])
  expect(plan.aggregate.cycles.map(({ billingCount, state }) => [billingCount, state])).toEqual([
    [12, 'canceled'],
    [10, 'active'],
  ])
  plan.runUntil(at('2027-07-01T00:00:00Z'))
  expect(ordersSince(plan, '2027-05')).toEqual([
    '2027-05-10T08:00 on 2027-05-10T08:00',
    '2027-06-10T08:00 on 2027-06-10T08:00',
  ])
  plan.runUntil(at('2029-01-01T00:00:00Z'))
  expect([plan.state, plan.aggregate.plan.lastSuffix]).toEqual(['completed', 12])
})

test('missed keeps the dates and bills each period that has begun since, oldest first', () => {
  const plan = planFrom('2027-01-31T10:00:00Z')
  cancelOn(plan, '2027-03-20T00:00:00Z')
  reactivateOn(plan, '2027-05-10T08:00:00Z', 'missed')
  plan.runUntil(at('2027-06-01T00:00:00Z'))
  expect(ordersSince(plan, '2027-05')).toEqual([
    '2027-03-31T10:00 on 2027-05-10T08:00',
    '2027-04-30T10:00 on 2027-05-10T08:00',
    '2027-05-31T10:00 on 2027-05-31T10:00',
  ])
})

test('missed bills the period that a cancellation at its beginning kept from being billed', () => {
  const plan = planFrom('2027-01-31T10:00:00Z')
  cancelOn(plan, '2027-03-20T00:00:00Z', true)
  reactivateOn(plan, '2027-04-01T00:00:00Z', 'missed')
  plan.runUntil(at('2027-04-02T00:00:00Z'))
  expect(ordersSince(plan, '2027-04')).toEqual(['2027-03-31T10:00 on 2027-04-01T00:00'])
})

test('missed bills that period even if the job that canceled the plan was late', () => {
  const plan = planFrom('2027-01-31T10:00:00Z')
  cancelOn(plan, '2027-03-20T00:00:00Z', true)
  plan.now = at('2027-03-31T10:00:02Z')
  reactivateOn(plan, '2027-04-01T00:00:00Z', 'missed')
  plan.runUntil(at('2027-04-02T00:00:00Z'))
  expect(ordersSince(plan, '2027-04')).toEqual(['2027-03-31T10:00 on 2027-04-01T00:00'])
})

test('missed bills no period that began while the plan was paused', () => {
  const plan = planFrom('2027-01-31T10:00:00Z')
  plan.runUntil(at('2027-03-01T00:00:00Z'))
  plan.update(pause(plan.aggregate, plan.now))
  cancelOn(plan, '2027-04-05T00:00:00Z')
  reactivateOn(plan, '2027-05-10T08:00:00Z', 'missed')
  plan.runUntil(at('2027-05-11T00:00:00Z'))
  expect(ordersSince(plan, '2027-05')).toEqual(['2027-04-30T10:00 on 2027-05-10T08:00'])
})

test('missed bills no period that began while a plan was paused across its start', () => {
  const plan = planFrom('2027-01-31T10:00:00Z')
  plan.now = at('2027-01-20T00:00:00Z')
  plan.update(pause(plan.aggregate, plan.now))
  cancelOn(plan, '2027-03-05T00:00:00Z')
  reactivateOn(plan, '2027-04-10T08:00:00Z', 'missed')
  plan.runUntil(at('2027-04-11T00:00:00Z'))
  expect(ordersSince(plan, '2027')).toEqual(['2027-03-31T10:00 on 2027-04-10T08:00'])
})

test('missed in Berlin bills a leap day and the hour that daylight saving skips', () => {
  const plan = planFrom('2028-01-29T01:30:00Z', [{ config: MONTHLY }], 'Europe/Berlin')
  cancelOn(plan, '2028-02-01T00:00:00Z')
  reactivateOn(plan, '2028-04-01T00:00:00Z', 'missed')
  plan.runUntil(at('2028-04-30T00:00:00Z'))
  expect(ordersSince(plan, '2028-04')).toEqual([
    '2028-02-29T01:30 on 2028-04-01T00:00',
    '2028-03-29T00:30 on 2028-04-01T00:00',
    '2028-04-29T00:30 on 2028-04-29T00:30',
  ])
})

test.each(['now', 'missed'] as const)('the cycles that were to come follow from %s', (from) => {
  const plan = planFrom('2027-01-15T10:00:00Z', [{ billingCount: 2 }, { config: DAILY }])
  cancelOn(plan, '2027-02-20T00:00:00Z')
  reactivateOn(plan, '2027-03-16T08:00:00Z', from)
  plan.runUntil(at('2027-03-17T12:00:00Z'))
  const expected = {
    now: ['2027-03-16T08:00 on 2027-03-16T08:00', '2027-03-17T08:00 on 2027-03-17T08:00'],
    missed: [
      '2027-03-15T10:00 on 2027-03-16T08:00', '2027-03-16T10:00 on 2027-03-16T10:00', '2027-03-17T10:00 on 2027-03-17T10:00',
    ],
  } // prettier-ignore
  expect(ordersSince(plan, '2027-03')).toEqual(expected[from])
})

test('a plan that was canceled before its start keeps its start, or begins now', () => {
  for (const [from, expected] of [['missed', '2027-02-01T10:00:00Z'], ['now', '2027-01-05T00:00:00Z']] as const) {
    const plan = planFrom('2027-02-01T10:00:00Z')
    plan.now = at('2027-01-02T00:00:00Z')
    plan.update(cancel(plan.aggregate, plan.now, false))
    plan.now = at('2027-01-05T00:00:00Z')
    plan.update(accepted(reactivate(plan.aggregate, from, plan.now)).aggregate)
    plan.runUntil(at('2027-02-02T00:00:00Z'))
    expect(plan.times('order')).toEqual([expected])
  }
}) // prettier-ignore

test('24 missed periods are billed, 25 are refused', async () => {
  for (const [day, expected] of [['2027-02-03', undefined], ['2027-02-04', 'too_many_missed_periods']] as const) {
    const plan = planFrom('2027-01-10T10:00:00Z', [{ config: DAILY }])
    cancelOn(plan, '2027-01-10T12:00:00Z')
    plan.runUntil(at(`${day}T11:00:00Z`))
    const work = async () => plan.update(accepted(reactivate(plan.aggregate, 'missed', plan.now)).aggregate)
    if (expected === undefined) {
      await work()
      plan.runUntil(at(`${day}T12:00:00Z`))
      expect(plan.times('order')).toHaveLength(25)
    } else expect(await reasonOf(work())).toBe(expected)
  }
}) // prettier-ignore

test('what is left of a count limits what was missed', () => {
  const plan = planFrom('2027-01-10T10:00:00Z', [{ config: DAILY, billingCount: 3 }])
  cancelOn(plan, '2027-01-10T12:00:00Z')
  reactivateOn(plan, '2027-03-10T12:00:00Z', 'missed')
  plan.runUntil(at('2027-03-11T00:00:00Z'))
  expect([plan.times('order').length, plan.state]).toEqual([3, 'completed'])
})

test('a written-off plan bills again, and what it still owes from before does it no harm', () => {
  const outcomes = (suffix: number) => (suffix < 3 ? ('decline' as const) : ('approve' as const))
  const given = newAggregate({
    start: at('2027-01-10T10:00:00Z'),
    zone: 'UTC',
    cycles: [{ config: { ...DAILY, interval_count: 3 } }],
    plan: { paymentRetryCount: 3, paymentRetryDayPeriod: 2, gracePeriod: 7 },
  })
  const plan = new PlanSimulation(given, outcomes)
  plan.runUntil(at('2027-01-21T10:00:00Z'))
  expect(plan.aggregate.plan).toMatchObject({ permanentlyUncollectible: true, lastSuffix: 2 })
  reactivateOn(plan, '2027-01-21T11:00:00Z', 'now')
  plan.runUntil(at('2027-03-01T00:00:00Z'))
  expect(plan.state).toBe('active')
  expect(ordersSince(plan, '2027-01-21').slice(0, 2)).toEqual([
    '2027-01-21T11:00 on 2027-01-21T11:00',
    '2027-01-24T11:00 on 2027-01-24T11:00',
  ])
  expect(plan.aggregate.orders.filter(({ suffix }) => suffix < 3).map(({ state }) => state)).toEqual([
    'voided',
    'voided',
  ])
})

const fixture = await createFixture()
const { recurring } = fixture

test('a reactivated plan bills its last items with their discount, and other states are refused', async () => {
  const shop = await Shop.open(fixture, '2031-01-31T02:00:00Z')
  const cycle = await shop.cycle({ price: 90, billing_count: 4, discount_amount: 10 })
  const plan = await shop.plan(await shop.customer(CARDS.good), { recurring_cycles: [cycle] })
  const again = (from: 'now' | 'missed') => recurring.reactivate(shop.caller, plan.id, from)
  await shop.advance('2031-02-10T02:00:00Z')
  expect(await refusalOf(again('now'))).toBe('409 plan_not_reactivatable')
  await recurring.cancel(shop.caller, plan.id, false)
  await shop.advance('2031-04-10T02:00:00Z')
  const reactivated = planOf(await again('missed'))
  expect(reactivated.state).toBe('active')
  expect(
    reactivated.recurring_cycles.map((one) => [one.state, one.billing_count, one.billing_amount]),
  ).toEqual([
    ['canceled', 4, 80],
    ['active', 3, 80],
  ])
  await shop.advance('2031-04-10T02:00:01Z')
  const orders = await shop.orders(plan.id)
  expect(orders.map((order) => [order.created_at?.slice(0, 10), order.initial_total, order.state])).toEqual([
    ['2031-01-31', 80, 'completed'],
    ['2031-04-10', 80, 'completed'],
    ['2031-04-10', 80, 'completed'],
  ])
  const types = (await shop.events(plan.id)).map(({ type }) => type)
  expect(types.slice(-3)).toEqual(['plan.canceled', 'plan.reactivated', 'cycle.activated'])
  await shop.advance('2031-06-01T02:00:00Z')
  expect((await shop.get(plan.id)).state).toBe('completed')
  expect(await refusalOf(again('now'))).toBe('409 plan_not_reactivatable')
  expect(await shop.breaches()).toEqual([])
})

test('a plan that is canceled in its last period has nothing left', async () => {
  const shop = await Shop.open(fixture, '2031-01-31T02:00:00Z')
  const cycle = await shop.cycle({ billing_count: 1 })
  const plan = await shop.plan(await shop.customer(CARDS.good), { recurring_cycles: [cycle] })
  await shop.advance('2031-02-10T02:00:00Z')
  await recurring.cancel(shop.caller, plan.id, false)
  const again = () => recurring.reactivate(shop.caller, plan.id, 'now')
  expect(await refusalOf(again())).toBe('409 plan_not_reactivatable')
  const other = await Shop.open(fixture, '2031-01-31T02:00:00Z')
  expect(await refusalOf(recurring.reactivate(other.caller, plan.id, 'now'))).toBe('404 plan_not_found')
})

test('of two reactivations at once one happens', async () => {
  const shop = await Shop.open(fixture, '2031-01-31T02:00:00Z')
  const plan = await shop.plan(await shop.customer(CARDS.good))
  await shop.advance('2031-02-10T02:00:00Z')
  await recurring.cancel(shop.caller, plan.id, false)
  const again = () => reasonOf(recurring.reactivate(shop.caller, plan.id, 'now'))
  const outcomes = await Promise.all([again(), again(), again()])
  expect(outcomes.filter((outcome) => outcome === 'plan_not_reactivatable')).toHaveLength(2)
  expect((await shop.get(plan.id)).recurring_cycles).toHaveLength(2)
  expect(await shop.breaches()).toEqual([])
})

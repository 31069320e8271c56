import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RequestError } from '#kernel/errors'
import { Money } from '#kernel/money'
import { accepted } from '../errors.ts'
import { isFinal } from '../model/cycle.states.ts'
import { cancel, pause, resume } from '../lifecycle/decide-lifecycle.ts'
import { addCredit } from '../credit/credit-plan.ts'
import { retryNow } from './retry-now.ts'
import { attemptFailed, markBlocked, orderPaid, orderReopened, orderVoided, unblock } from './dunning.ts'
import { currentCycle, isCountReached, isOpen, type PlanAggregate, withPlan } from '../model/plan.ts'
import { at, type CycleOptions, newAggregate, MONTHLY } from '../testing/plan-aggregates.ts'
import { type AttemptOutcome, PlanSimulation } from '../testing/plan-simulation.ts'
import { nextDue, nextExecuteAt } from '../timeline/timeline.ts'

const START = at('2027-01-10T02:00:00Z')
const WEEKLY = { ...MONTHLY, billing_interval: 'week' } as const

/** Default: 3 attempts 2 days apart, 7 days of grace. */
function simulation(
  outcome: AttemptOutcome,
  plan: Partial<PlanAggregate['plan']> = {},
  cycles?: CycleOptions[],
): PlanSimulation {
  return new PlanSimulation(newAggregate({ start: START, plan, ...(cycles && { cycles }) }), outcome)
}

const collectionOf = (plan: PlanSimulation): string[] =>
  plan.events
    .filter(({ what }) => /^(failed|paid|void|cycle|plan)/.test(what))
    .map(({ at: time, what }) => `${time.slice(5, 10)} ${what}`)

// Proves reference/recurring#retries, reference/recurring#grace, reference/recurring#uncollectible, reference/recurring#pause, reference/recurring#cancel, reference/recurring#credit, reference/recurring#editing.
test('after payment_retry_count attempts the cycle is uncollectible, and the order is voided after grace', () => {
  const plan = simulation(() => 'decline')
  plan.runUntil(at('2028-01-01T00:00:00Z'))
  expect(collectionOf(plan)).toEqual([
    '01-10 cycle.activated 0',
    '01-10 failed 1',
    '01-10 cycle.past_due 0',
    '01-12 failed 1',
    '01-14 failed 1',
    '01-14 cycle.uncollectible 0',
    '01-21 void 1',
  ])
  expect(plan.state).toBe('uncollectible')
  expect(nextDue(plan.aggregate)).toBeNull()
  expect(nextExecuteAt(plan.aggregate)).toBeNull()
})

test('an order is never voided without a grace period, and at once with one of 0 days', () => {
  const never = simulation(() => 'decline', { gracePeriod: null })
  never.runUntil(at('2030-01-01T00:00:00Z'))
  expect(never.times('void')).toEqual([])
  expect(never.order(1).state).toBe('open')
  const atOnce = simulation(() => 'decline', { gracePeriod: 0, paymentRetryCount: 1 })
  atOnce.runUntil(START)
  expect(collectionOf(atOnce)).toEqual([
    '01-10 cycle.activated 0',
    '01-10 failed 1',
    '01-10 cycle.uncollectible 0',
    '01-10 void 1',
  ])
})

test('a retry that succeeds makes the cycle active again', () => {
  const plan = simulation((_suffix, attempt) => (attempt === 2 ? 'approve' : 'decline'))
  plan.runUntil(at('2027-01-20T00:00:00Z'))
  expect(collectionOf(plan)).toEqual([
    '01-10 cycle.activated 0', '01-10 failed 1', '01-10 cycle.past_due 0', '01-12 paid 1', '01-12 cycle.activated 0',
  ]) // prettier-ignore
})

test('attempts keep their local time of day across daylight saving', () => {
  const plan = new PlanSimulation(
    newAggregate({ start: at('2027-03-13T07:30:00Z'), zone: 'America/New_York' }),
    () => 'decline',
  )
  plan.runUntil(at('2027-03-18T00:00:00Z'))
  expect(plan.times('failed')).toEqual([
    '2027-03-13T07:30:00Z',
    '2027-03-15T06:30:00Z',
    '2027-03-17T06:30:00Z',
  ])
})

test('billing continues while an order is past due, and each order has its own attempts', () => {
  const plan = simulation((suffix) => (suffix === 1 ? 'decline' : 'approve'), { paymentRetryDayPeriod: 20 })
  plan.runUntil(at('2027-02-18T00:00:00Z'))
  expect(collectionOf(plan)).toEqual([
    '01-10 cycle.activated 0', '01-10 failed 1', '01-10 cycle.past_due 0', '01-30 failed 1', '02-10 paid 2',
  ]) // prettier-ignore
  expect(plan.state).toBe('past_due')
})

test('the last failed attempt of one order stops billing and all attempts, and starts the grace of all orders', () => {
  const plan = simulation(() => 'decline', { paymentRetryDayPeriod: 20 })
  plan.runUntil(at('2027-02-19T02:00:00Z'))
  expect(plan.state).toBe('uncollectible')
  plan.runUntil(at('2028-01-01T00:00:00Z'))
  expect(plan.times('failed')).toHaveLength(4)
  expect(
    plan.events.filter(({ what }) => what.startsWith('void')).map(({ at: time }) => time.slice(5, 10)),
  ).toEqual(['02-26', '02-26'])
})

test('a payment during grace makes the cycle active, and the next period bills on its original date', () => {
  const plan = simulation((suffix) => (suffix === 1 ? 'decline' : 'approve'), { gracePeriod: 60 })
  plan.runUntil(at('2027-03-01T00:00:00Z'))
  expect(plan.times('order')).toHaveLength(1)
  plan.update(orderPaid(plan.aggregate, plan.order(1).orderId, plan.now), 'paid by link')
  expect(plan.state).toBe('active')
  expect(plan.events.at(-1)?.what).toBe('cycle.activated 0')
  plan.runUntil(at('2027-04-01T00:00:00Z'))
  expect(plan.times('order').slice(1)).toEqual(['2027-03-10T02:00:00Z'])
})

test.each(['voided', 'reopened and voided'])(
  'an order that was paid during grace no longer makes the plan uncollectible, even if it is %s later',
  (end) => {
    const plan = simulation(() => 'decline', { gracePeriod: 60 })
    plan.runUntil(at('2027-02-01T00:00:00Z'))
    const { orderId } = plan.order(1)
    plan.update(orderPaid(plan.aggregate, orderId, plan.now))
    if (end !== 'voided') plan.update(orderReopened(plan.aggregate, orderId))
    plan.update(orderVoided(plan.aggregate, orderId, plan.now))
    expect(plan.state).toBe('active')
    plan.runUntil(at('2027-02-10T02:00:00Z'))
    expect(plan.times('order')).toHaveLength(2)
  },
)

test('the cycle is active again only when all orders without retries are paid', () => {
  const plan = simulation(() => 'decline', { paymentRetryDayPeriod: 20, gracePeriod: 60 })
  plan.runUntil(at('2027-02-19T02:00:00Z'))
  plan.update(orderPaid(plan.aggregate, plan.order(2).orderId, plan.now))
  expect(plan.state).toBe('uncollectible')
  plan.update(orderPaid(plan.aggregate, plan.order(1).orderId, plan.now))
  expect(plan.state).toBe('active')
})

test('once the order without retries is paid, other orders leave their grace and retry', () => {
  const plan = simulation(() => 'decline', { paymentRetryDayPeriod: 20, gracePeriod: 60 })
  plan.runUntil(at('2027-03-05T00:00:00Z'))
  plan.update(orderPaid(plan.aggregate, plan.order(1).orderId, plan.now))
  expect(plan.state).toBe('past_due')
  expect(plan.order(2).voidAt).toBeNull()
  plan.runUntil(at('2027-03-05T00:00:01Z'))
  expect(plan.times('failed 2')).toEqual(['2027-02-10T02:00:00Z', '2027-03-05T00:00:00Z'])
})

test('after the void at the end of grace the cycle stays uncollectible and later cycles stay upcoming', () => {
  const plan = simulation(() => 'decline', { paymentRetryCount: 1 }, [{ billingCount: 1 }, {}])
  plan.runUntil(at('2028-01-01T00:00:00Z'))
  expect(plan.aggregate.cycles.map(({ state }) => state)).toEqual(['uncollectible', 'upcoming'])
})

/** On 28 January the order of an ended cycle runs out of retries, while the orders of two later cycles still retry. */
function uncollectibleInThreeCycles(): PlanSimulation {
  const plan = simulation(() => 'decline', { paymentRetryCount: 4, paymentRetryDayPeriod: 6 }, [
    { config: { ...MONTHLY, billing_interval: 'day' }, billingCount: 1 },
    { config: WEEKLY, billingCount: 1 },
    {},
  ])
  plan.runUntil(at('2027-01-30T00:00:00Z'))
  return plan
}

test('an order without retries makes every started cycle uncollectible, and the void makes that final', () => {
  const plan = uncollectibleInThreeCycles()
  expect(plan.times('cycle.uncollectible')).toEqual(Array(3).fill('2027-01-28T02:00:00Z'))
  plan.runUntil(at('2028-01-01T00:00:00Z'))
  expect(plan.times('void')).toEqual(Array(3).fill('2027-02-04T02:00:00Z'))
  expect(plan.aggregate.cycles.map(({ state }) => state)).toEqual(Array(3).fill('uncollectible'))
})

test('an ended cycle is completed once its orders are paid, even while another cycle is uncollectible', () => {
  const plan = uncollectibleInThreeCycles()
  plan.update(orderPaid(plan.aggregate, plan.order(2).orderId, plan.now))
  expect(plan.aggregate.cycles.map(({ state }) => state)).toEqual([
    'uncollectible',
    'completed',
    'uncollectible',
  ])
  plan.update(orderPaid(plan.aggregate, plan.order(1).orderId, plan.now))
  expect(plan.aggregate.cycles.map(({ state }) => state)).toEqual(['completed', 'completed', 'past_due'])
})

test('the void at the end of grace in an earlier cycle makes the plan uncollectible even while it is paused', () => {
  const plan = uncollectibleInThreeCycles()
  plan.update(pause(plan.aggregate, plan.now))
  expect(plan.state).toBe('paused')
  plan.runUntil(at('2028-01-01T00:00:00Z'))
  expect(plan.state).toBe('uncollectible')
})

test('an attempt that fails for the last time at the start of a period prevents that period', () => {
  const daily = { ...MONTHLY, billing_interval: 'day' } as const
  const plan = simulation(() => 'decline', { paymentRetryDayPeriod: 1, paymentRetryCount: 2 }, [
    { config: daily },
  ])
  plan.runUntil(at('2027-02-01T00:00:00Z'))
  expect(plan.times('order')).toHaveLength(1)
  expect(plan.times('cycle.uncollectible')).toEqual(['2027-01-11T02:00:00Z'])
})

/** The last attempt fails a week after the start, when the next period begins. The order is paid two days later. */
function givenUpAtPeriodStart(cycles: CycleOptions[], lateMs = 0): PlanSimulation {
  const plan = simulation(
    (suffix) => (suffix === 1 ? 'decline' : 'approve'),
    { paymentRetryDayPeriod: 7, paymentRetryCount: 2, gracePeriod: 20 },
    cycles,
  )
  plan.runUntil(at('2027-01-17T01:59:59Z'))
  plan.now = at('2027-01-17T02:00:00Z').add({ milliseconds: lateMs })
  plan.attempt(plan.order(1).orderId)
  plan.runUntil(at('2027-01-19T00:00:00Z'))
  expect(plan.state).toBe('uncollectible')
  plan.update(orderPaid(plan.aggregate, plan.order(1).orderId, plan.now), 'paid by link')
  return plan
}

test.each([0, 500])(
  'a period that was prevented by a last failed attempt is never billed nor counted (worker %d ms late)',
  (lateMs) => {
    const plan = givenUpAtPeriodStart([{ config: WEEKLY, billingCount: 3 }], lateMs)
    expect(nextExecuteAt(plan.aggregate)?.toString()).toBe('2027-01-24T02:00:00Z')
    plan.runUntil(at('2027-03-01T00:00:00Z'))
    expect(plan.times('order').map((time) => time.slice(5, 10))).toEqual(['01-10', '01-24', '01-31'])
    expect(plan.times('cycle.completed')).toEqual(['2027-02-07T02:00:00Z'])
  },
)

test('a cycle whose first period was prevented by a last failed attempt bills its second date first', () => {
  const plan = givenUpAtPeriodStart([{ config: WEEKLY, billingCount: 1 }, { billingCount: 2 }])
  expect(nextExecuteAt(plan.aggregate)?.toString()).toBe('2027-02-17T02:00:00Z')
  plan.runUntil(at('2027-06-01T00:00:00Z'))
  expect(plan.times('order').map((time) => time.slice(5, 10))).toEqual(['01-10', '02-17', '03-17'])
})

test('a paused plan makes no orders and no attempts while grace runs on, and a resumed plan makes one overdue attempt', () => {
  const plan = simulation(() => 'decline')
  plan.runUntil(at('2027-01-11T00:00:00Z'))
  plan.update(pause(plan.aggregate, plan.now))
  expect(plan.state).toBe('paused')
  plan.runUntil(at('2027-01-20T00:00:00Z'))
  expect(plan.times('failed')).toHaveLength(1)
  plan.update(resume(plan.aggregate, plan.now))
  expect(plan.state).toBe('past_due')
  plan.runUntil(at('2027-01-23T00:00:00Z'))
  expect(plan.times('failed').slice(1)).toEqual(['2027-01-20T00:00:00Z', '2027-01-22T00:00:00Z'])

  const inGrace = simulation(() => 'decline')
  inGrace.runUntil(at('2027-01-15T00:00:00Z'))
  inGrace.update(pause(inGrace.aggregate, inGrace.now))
  expect(inGrace.state).toBe('paused')
  inGrace.runUntil(at('2027-01-22T00:00:00Z'))
  expect(inGrace.times('void')).toEqual(['2027-01-21T02:00:00Z'])
  // The void makes the plan permanently uncollectible even while it is paused.
  expect(inGrace.state).toBe('uncollectible')
})

test('a cancellation ends attempts and billing, and the open order is voided after grace', () => {
  const plan = simulation(() => 'decline')
  plan.runUntil(at('2027-01-11T00:00:00Z'))
  plan.update(cancel(plan.aggregate, plan.now, false))
  expect(plan.state).toBe('canceled')
  plan.runUntil(at('2028-01-01T00:00:00Z'))
  expect(plan.times('failed')).toHaveLength(1)
  expect(plan.times('void')).toEqual(['2027-01-18T00:00:00Z'])
  expect(plan.state).toBe('canceled')
})

test('a cancellation during grace does not delay the void', () => {
  const plan = simulation(() => 'decline')
  plan.runUntil(at('2027-01-16T00:00:00Z'))
  plan.update(cancel(plan.aggregate, plan.now, false))
  plan.runUntil(at('2028-01-01T00:00:00Z'))
  expect(plan.times('void')).toEqual(['2027-01-21T02:00:00Z'])
})

test('an uncollectible plan whose last period is over is canceled at once, even for the end of the period', () => {
  const plan = simulation(() => 'decline', { gracePeriod: null }, [{ billingCount: 2 }])
  plan.runUntil(at('2027-01-20T00:00:00Z'))
  expect(accepted(cancel(plan.aggregate, plan.now, true)).plan.cancelAt?.toString()).toBe(
    '2027-02-10T02:00:00Z',
  )
  const last = simulation((suffix) => (suffix === 1 ? 'approve' : 'decline'), { gracePeriod: null }, [
    { billingCount: 2 },
  ])
  last.runUntil(at('2027-03-10T01:00:00Z'))
  expect(accepted(cancel(last.aggregate, last.now, true)).plan.cancelAt?.toString()).toBe(
    '2027-03-10T02:00:00Z',
  )
  last.runUntil(at('2027-03-10T02:00:00Z'))
  expect(accepted(cancel(last.aggregate, last.now, true)).plan.state).toBe('canceled')
})

test("a merchant's void of a past due order ends its attempts, returns its credit and makes the cycle active", () => {
  const plan = simulation(() => 'decline', { credit: Money.ofDecimal('HKD', '30.00') })
  plan.runUntil(at('2027-01-11T00:00:00Z'))
  expect(plan.aggregate.plan.credit.isZero()).toBe(true)
  plan.update(orderVoided(plan.aggregate, plan.order(1).orderId, plan.now))
  expect(plan.state).toBe('active')
  expect(plan.aggregate.plan.credit.toString()).toBe('30.00')
  plan.runUntil(at('2027-02-09T00:00:00Z'))
  expect(plan.times('failed')).toHaveLength(1)
})

test('a cycle that ended with an unpaid order is completed once the order is paid', () => {
  const plan = simulation((suffix) => (suffix === 1 ? 'decline' : 'approve'), { paymentRetryDayPeriod: 60 }, [
    { billingCount: 1 },
    {},
  ])
  plan.runUntil(at('2027-02-12T00:00:00Z'))
  expect(plan.aggregate.cycles.map(({ state }) => state)).toEqual(['past_due', 'active'])
  expect(plan.state).toBe('active')
  plan.update(orderPaid(plan.aggregate, plan.order(1).orderId, plan.now))
  expect(plan.aggregate.cycles.map(({ state }) => state)).toEqual(['completed', 'active'])
})

test('an edited retry count applies to the next attempt, whose date does not change', () => {
  const plan = simulation(() => 'decline')
  plan.runUntil(START)
  plan.update(withPlan(plan.aggregate, { paymentRetryCount: 1 }))
  expect(plan.state).toBe('past_due')
  plan.runUntil(at('2027-01-12T02:00:00Z'))
  expect(plan.times('failed')).toHaveLength(2)
  expect(plan.state).toBe('uncollectible')
})

test('a blocked order is neither attempted nor voided until it is unblocked', () => {
  const plan = simulation(() => 'decline')
  plan.runUntil(START)
  const { orderId } = plan.order(1)
  plan.update(markBlocked(plan.aggregate, orderId))
  plan.runUntil(at('2027-01-20T00:00:00Z'))
  expect(plan.times('failed')).toHaveLength(1)
  // A blocked order has no next step, so the plan's next step is the next bill.
  expect(nextExecuteAt(plan.aggregate)?.toString()).toBe('2027-02-10T02:00:00Z')
  plan.update(unblock(plan.aggregate, orderId, plan.now))
  plan.runUntil(at('2027-01-20T00:00:00Z'))
  expect(plan.times('failed').at(-1)).toBe('2027-01-20T00:00:00Z')
})

test('a late outcome schedules the next attempt from the time of the attempt, but never before the outcome', () => {
  const plan = simulation(() => 'decline')
  plan.runUntil(START)
  const { orderId } = plan.order(1)
  const late = attemptFailed(plan.aggregate, orderId, at('2027-01-11T00:00:00Z'))
  expect(late.orders[0]?.nextAttemptAt?.toString()).toBe('2027-01-12T02:00:00Z')
  const veryLate = attemptFailed(plan.aggregate, orderId, at('2027-01-20T00:00:00Z'))
  expect(veryLate.orders[0]?.nextAttemptAt?.toString()).toBe('2027-01-20T00:00:00Z')
})

type Move =
  | { readonly kind: 'wait'; readonly days: number }
  | { readonly kind: 'pause' | 'resume' | 'cancel' | 'cancel_later' | 'credit' | 'retry' }
  | { readonly kind: 'pay' | 'void' | 'reopen'; readonly suffix: number }

const move: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 45 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constantFrom('pause' as const, 'resume' as const, 'credit' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom('cancel' as const, 'cancel_later' as const, 'retry' as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('pay' as const, 'void' as const, 'reopen' as const),
      suffix: fc.integer({ min: 1, max: 6 }),
    }),
  },
)

function apply(plan: PlanSimulation, step: Move): void {
  const { aggregate, now } = plan
  try {
    if (step.kind === 'wait') plan.runUntil(now.add({ hours: 24 * step.days }))
    else if (step.kind === 'pause') plan.update(pause(aggregate, now))
    else if (step.kind === 'resume') plan.update(resume(aggregate, now))
    else if (step.kind === 'cancel') plan.update(cancel(aggregate, now, false))
    else if (step.kind === 'cancel_later') plan.update(cancel(aggregate, now, true))
    else if (step.kind === 'retry') plan.update(retryNow(aggregate, null, now))
    else if (step.kind === 'credit') plan.update(addCredit(aggregate, Money.ofDecimal('HKD', '30.00')))
    else if ('suffix' in step) applyToOrder(plan, step.kind, step.suffix)
  } catch (error) {
    // A conflict is a valid reply.
    if (!(error instanceof RequestError)) throw error
  }
}

function applyToOrder(plan: PlanSimulation, kind: 'pay' | 'void' | 'reopen', suffix: number): void {
  const order = plan.aggregate.orders.find((candidate) => candidate.suffix === suffix)
  if (order === undefined || isOpen(order) === (kind === 'reopen') || order.state === 'voided') return
  if (kind === 'pay') plan.update(orderPaid(plan.aggregate, order.orderId, plan.now))
  else if (kind === 'void') plan.update(orderVoided(plan.aggregate, order.orderId, plan.now))
  else plan.update(orderReopened(plan.aggregate, order.orderId))
}

function checkInvariants({ aggregate }: PlanSimulation, granted: bigint): void {
  const { plan, cycles, orders } = aggregate
  expect(plan.state).toBe(cycles[plan.currentCycle]?.state)
  expect(plan.suspendedAt !== null).toBe(plan.paused || plan.uncollectible)
  expect(orders.map(({ suffix }) => suffix)).toEqual(orders.map((_order, index) => index + 1))
  for (const cycle of cycles) {
    expect(orders.filter(({ cyclePosition }) => cyclePosition === cycle.position)).toHaveLength(
      cycle.ordersCreated,
    )
    if (cycle.billingCount !== null) expect(cycle.ordersCreated).toBeLessThanOrEqual(cycle.billingCount)
    if (cycle.state === 'upcoming') expect(cycle.start).toBeNull()
    if (cycle.state === 'completed') expect(cycle.endAt).not.toBeNull()
  }
  for (const order of orders) {
    expect(order.attempts).toBeLessThanOrEqual(plan.paymentRetryCount)
    if (!isOpen(order))
      expect([order.nextAttemptAt, order.voidAt, order.attemptTransaction]).toEqual([null, null, null])
    if (order.voidAt !== null) expect(plan.uncollectible || plan.state === 'canceled').toBe(true)
    if (order.retriesExhausted && isOpen(order))
      expect(plan.uncollectible || plan.state === 'canceled').toBe(true)
  }
  const used = orders
    .filter(({ state }) => state !== 'voided')
    .reduce((sum, { credit }) => sum + credit.minor, 0n)
  expect(plan.credit.minor + used).toBe(granted)
  const due = nextDue(aggregate)
  if (plan.suspendedAt !== null || isFinal(plan.state)) {
    if (due?.kind === 'attempt') expect(plan.state).toBe('completed')
    const isEnd = plan.paused && !plan.uncollectible && isCountReached(currentCycle(aggregate))
    if (due?.kind === 'timeline' && !isEnd) expect(due.at.equals(plan.cancelAt ?? START)).toBe(true)
  }
}

test('after any sequence of changes the cycles, orders, attempts, credit and due step of a plan agree', () => {
  fc.assert(
    fc.property(
      fc.array(move, { maxLength: 25 }),
      fc.array(fc.boolean(), { minLength: 8, maxLength: 8 }),
      fc.constantFrom(null, 0, 7, 60),
      fc.constantFrom(1, 20, 40),
      (moves, outcomes, gracePeriod, paymentRetryDayPeriod) => {
        const plan = simulation(
          (suffix, attempt) => (outcomes[(suffix * 3 + attempt) % 8] === true ? 'approve' : 'decline'),
          { gracePeriod, paymentRetryDayPeriod },
          [{ billingCount: 2 }, { billingCount: 3 }, {}],
        )
        let granted = 0n
        for (const step of moves) {
          const credit = plan.aggregate.plan.credit.minor
          apply(plan, step)
          if (step.kind === 'credit') granted += plan.aggregate.plan.credit.minor - credit
          checkInvariants(plan, granted)
        }
      },
    ),
    { numRuns: 500 },
  )
})

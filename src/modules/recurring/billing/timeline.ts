import {
  billingDate,
  billingIndexAfter,
  followingSchedule,
  nextBillingDate,
  type Schedule,
  type Stub,
  stubOf,
} from '#kernel/calendar'
import { earliestOf, type Instant, isAfter, laterOf } from '#kernel/clock'
import {
  endPeriod,
  firstScheduleOf,
  isWithinCalendar,
  scheduleOf,
  schedulesOf,
} from '../plan/cycle-schedule.ts'
import {
  type Cycle,
  type Due,
  type PlanAggregate,
  type Plan,
  type PlanOrder,
  currentCycle,
  cycleAt,
  hasEnded,
  isCountReached,
  isOpen,
  transition,
  withCycle,
  withPlan,
} from '../plan/plan.ts'

/** The timeline of a plan: its cycles start, bill their periods and end. Pure; nothing here knows of the database. */

/** A period that is to be billed now. */
export interface PeriodToBill {
  /** Position of the cycle. */
  readonly position: number
  /** When the period began. */
  readonly start: Instant
  /** Set when only some days of the period are billed. */
  readonly stub: Stub | undefined
}

/**
 * Lives through what the timeline has until `until`: starts and ends cycles, and stops at the first period that is to be
 * billed, counted as billed already.
 */
export function advance(
  aggregate: PlanAggregate,
  until: Instant,
): { aggregate: PlanAggregate; bill: PeriodToBill | undefined } {
  let now = aggregate
  for (;;) {
    const step = advanceOnce(now, until)
    if (step === undefined) return { aggregate: now, bill: undefined }
    if (step.bill !== undefined) return step
    now = step.aggregate
  }
}

/** As `advance`, but passes over the periods that are not billed yet: they are never billed nor counted. */
function skipPeriods(aggregate: PlanAggregate, until: Instant): PlanAggregate {
  let now = aggregate
  for (;;) {
    const step = advanceOnce(now, until)
    if (step === undefined) return now
    now = step.bill === undefined ? step.aggregate : withNextPeriodAfter(now, step.bill.position, until)
  }
}

function withNextPeriodAfter(aggregate: PlanAggregate, position: number, until: Instant): PlanAggregate {
  const schedule = scheduleOf(aggregate.plan, cycleAt(aggregate, position))
  return withCycle(aggregate, position, { nextPeriod: billingIndexAfter(schedule, until) })
}

function advanceOnce(
  aggregate: PlanAggregate,
  until: Instant,
): { aggregate: PlanAggregate; bill: PeriodToBill | undefined } | undefined {
  const { plan } = aggregate
  const cycle = currentCycle(aggregate)
  if (hasEnded(plan) || isBillingSuspended(plan, cycle) || cycle.endAt !== null) return undefined
  if (cycle.start === null) {
    if (isAfter(plan.startAt, until)) return undefined
    return { aggregate: startCycle(aggregate, cycle, firstScheduleOf(plan, cycle)), bill: undefined }
  }
  const schedule = scheduleOf(plan, cycle)
  const start = billingDate(schedule, cycle.nextPeriod)
  if (isAfter(start, until)) return undefined
  if (isCountReached(cycle))
    return { aggregate: endCycle(aggregate, cycle, schedule, start), bill: undefined }
  return {
    aggregate: withCycle(aggregate, cycle.position, {
      nextPeriod: cycle.nextPeriod + 1,
      ordersCreated: cycle.ordersCreated + 1,
    }),
    bill: {
      position: cycle.position,
      start,
      stub: cycle.nextPeriod === 0 ? stubOf(schedule) : undefined,
    },
  }
}

/** A plan that is suspended bills nothing. The end of a last period does not either, so in a pause it comes all the same. */
function isBillingSuspended(plan: Plan, cycle: Cycle): boolean {
  return plan.suspendedAt !== null && (plan.uncollectible || !isCountReached(cycle))
}

function startCycle(aggregate: PlanAggregate, cycle: Cycle, schedule: Schedule): PlanAggregate {
  const started = withCycle(aggregate, cycle.position, {
    start: { at: schedule.start, date: schedule.startDate, anchorDay: schedule.anchorDay },
  })
  return transition(started, cycle.position, aggregate.plan.paused ? 'pause' : 'start')
}

/** The next cycle begins where this one ends, whether or not its orders are paid by then. */
function endCycle(aggregate: PlanAggregate, cycle: Cycle, schedule: Schedule, end: Instant): PlanAggregate {
  let ended = withCycle(aggregate, cycle.position, { endAt: end })
  if (!hasOpenOrders(ended, cycle)) ended = transition(ended, cycle.position, 'finish')
  const next = aggregate.cycles[cycle.position + 1]
  if (next === undefined) return ended
  ended = withPlan(ended, { currentCycle: next.position, state: next.state })
  return startCycle(ended, next, followingSchedule(schedule, cycle.nextPeriod, next.config))
}

export function hasOpenOrders(aggregate: PlanAggregate, cycle: Cycle): boolean {
  return aggregate.orders.some((order) => order.cyclePosition === cycle.position && isOpen(order))
}

/**
 * Ends a suspension: the periods that began in it are passed over, and what became overdue in it is due now. No unbilled
 * period began before it (`suspendedAt`), so none is left by the next suspension.
 */
export function endSuspension(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  if (aggregate.plan.suspendedAt === null) return aggregate
  const lifted = withPlan(aggregate, { suspendedAt: null })
  const orders = lifted.orders.map((order) =>
    isOpen(order) && order.nextAttemptAt !== null
      ? { ...order, nextAttemptAt: laterOf(order.nextAttemptAt, at) }
      : order,
  )
  return skipPeriods({ ...lifted, orders }, at)
}

/** The end of the period that `at` lies in; null when the plan is in none, before its first order or after its last. */
export function periodEnd(aggregate: PlanAggregate, at: Instant): Instant | null {
  const cycle = currentCycle(aggregate)
  if (cycle.start === null || cycle.endAt !== null) return null
  const schedule = scheduleOf(aggregate.plan, cycle)
  if (isAfter(billingDate(schedule, 0), at)) return null
  // The end of the last period is passed over while the plan is uncollectible.
  if (isCountReached(cycle) && !isAfter(billingDate(schedule, cycle.nextPeriod), at)) return null
  return nextBillingDate(schedule, at)
}

/** When the plan's timeline goes on by itself; null when it does not. */
export function nextTimelineAt(aggregate: PlanAggregate): Instant | null {
  const { plan } = aggregate
  if (hasEnded(plan)) return null
  const cycle = currentCycle(aggregate)
  const boundary =
    isBillingSuspended(plan, cycle) || cycle.endAt !== null
      ? null
      : cycle.start === null
        ? plan.startAt
        : billingDate(scheduleOf(plan, cycle), cycle.nextPeriod)
  return earliestOf([boundary, plan.cancelAt])
}

/** Whether attempts are made at all: not while the plan is paused or uncollectible, nor after its end. */
function isCollecting(aggregate: PlanAggregate): boolean {
  // A completed plan has no open orders; one whose last cycle ended unpaid still collects.
  return aggregate.plan.suspendedAt === null && aggregate.plan.state !== 'canceled'
}

/**
 * What the plan does next, the earliest first. At one and the same moment: a cancellation, then voids and attempts, then
 * the new period, which an order given up no longer gets.
 */
export function nextDue(aggregate: PlanAggregate): Due | null {
  let due: Due | null = null
  const consider = (at: Instant | null, kind: Due['kind'], orderId: string | null): void => {
    if (at !== null && (due === null || isAfter(due.at, at))) due = { at, kind, orderId }
  }
  if (!hasEnded(aggregate.plan)) consider(aggregate.plan.cancelAt, 'timeline', null)
  for (const order of aggregate.orders) {
    if (!isOpen(order) || order.blocked) continue
    consider(order.voidAt, 'void', order.orderId)
    if (isCollecting(aggregate)) consider(order.nextAttemptAt, 'attempt', order.orderId)
  }
  consider(nextTimelineAt(aggregate), 'timeline', null)
  return due
}

/** What a cycle shows of its times. */
export interface CycleTimes {
  readonly estimatedStart: Instant | null
  readonly estimatedEnd: Instant | null
  /** The earliest bill or attempt; null when there is none. */
  readonly nextExecute: Instant | null
}

export function cycleTimes(aggregate: PlanAggregate): CycleTimes[] {
  const schedules = schedulesOf(aggregate)
  return aggregate.cycles.map((cycle, position) => {
    const schedule = schedules[position]
    const lastPeriod = endPeriod(cycle)
    const end =
      schedule === undefined || lastPeriod === null || !isWithinCalendar(schedule, lastPeriod)
        ? null
        : billingDate(schedule, lastPeriod)
    return {
      estimatedStart: schedule?.start ?? null,
      estimatedEnd: cycle.endAt ?? end,
      nextExecute: beforeCancellation(
        aggregate,
        earliestOf([nextBillOf(aggregate, cycle, schedule), nextAttemptOf(aggregate, cycle)]),
      ),
    }
  })
}

/** The plan's `next_execute_time`: the earliest bill or attempt. */
export function nextExecuteAt(aggregate: PlanAggregate): Instant | null {
  const attempts = aggregate.orders.map((order) => attemptAt(aggregate, order))
  return beforeCancellation(aggregate, earliestOf([nextBillAt(aggregate), ...attempts]))
}

function nextBillAt(aggregate: PlanAggregate): Instant | null {
  const { plan } = aggregate
  const cycle = currentCycle(aggregate)
  if (cycle.start === null) return nextBillOf(aggregate, cycle, firstScheduleOf(plan, cycle))
  const schedule = scheduleOf(plan, cycle)
  if (!isCountReached(cycle)) return nextBillOf(aggregate, cycle, schedule)
  const next = aggregate.cycles[cycle.position + 1]
  if (next === undefined || cycle.endAt !== null) return null
  return nextBillOf(aggregate, next, followingSchedule(schedule, cycle.nextPeriod, next.config))
}

function nextBillOf(aggregate: PlanAggregate, cycle: Cycle, schedule: Schedule | undefined): Instant | null {
  const { plan } = aggregate
  if (schedule === undefined || hasEnded(plan) || plan.suspendedAt !== null) return null
  if (cycle.endAt !== null || isCountReached(cycle)) return null
  return billingDate(schedule, cycle.nextPeriod)
}

function nextAttemptOf(aggregate: PlanAggregate, cycle: Cycle): Instant | null {
  return earliestOf(
    aggregate.orders.map((order) =>
      order.cyclePosition === cycle.position ? attemptAt(aggregate, order) : null,
    ),
  )
}

/** One that waits for something has no time of its own until that is over. */
function attemptAt(aggregate: PlanAggregate, order: PlanOrder): Instant | null {
  return isOpen(order) && !order.blocked && isCollecting(aggregate) ? order.nextAttemptAt : null
}

/** A plan that will be canceled bills and tries nothing from then on. */
function beforeCancellation(aggregate: PlanAggregate, at: Instant | null): Instant | null {
  const { cancelAt } = aggregate.plan
  return at !== null && cancelAt !== null && !isAfter(cancelAt, at) ? null : at
}

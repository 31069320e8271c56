import {
  billingDate,
  billingIndexAfter,
  firstSchedule,
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
} from '../model/cycle-schedule.ts'
import { nextLifecycleStep } from '../model/lifecycle-step.ts'
import {
  type Cycle,
  type Due,
  type PlanAggregate,
  type Plan,
  type PlanOrder,
  awaitsToken,
  currentCycle,
  cycleAt,
  hasEnded,
  isCountReached,
  isOpen,
  transition,
  withCycle,
  withPlan,
} from '../model/plan.ts'
import { firstPeriodAt } from '../model/trial.ts'

/** Pure decisions about a plan's timeline: its cycles start, bill their periods and end (reference/recurring#cycles). */

export interface PeriodToBill {
  readonly cyclePosition: number
  readonly start: Instant
  readonly end: Instant
  readonly stub: Stub | undefined
}

/** Starts and ends cycles until `until`, or until the first period to bill. That period already counts as billed. */
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

/** Works like `advance`, but skips the periods to bill: they are never billed nor counted. */
function skipPeriods(aggregate: PlanAggregate, until: Instant): PlanAggregate {
  let now = aggregate
  for (;;) {
    const step = advanceOnce(now, until)
    if (step === undefined) return now
    now = step.bill === undefined ? step.aggregate : withNextPeriodAfter(now, step.bill.cyclePosition, until)
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
    if (isAfter(firstPeriodAt(plan), until)) return undefined
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
      cyclePosition: cycle.position,
      start,
      end: billingDate(schedule, cycle.nextPeriod + 1),
      stub: cycle.nextPeriod === 0 ? stubOf(schedule) : undefined,
    },
  }
}

/** The end of the last period bills nothing, so it also takes effect during a pause. */
function isBillingSuspended(plan: Plan, cycle: Cycle): boolean {
  return plan.suspendedAt !== null && (plan.uncollectible || !isCountReached(cycle))
}

export function startCycle(aggregate: PlanAggregate, cycle: Cycle, schedule: Schedule): PlanAggregate {
  const started = withCycle(aggregate, cycle.position, {
    start: { at: schedule.start, date: schedule.startDate, anchorDay: schedule.anchorDay },
  })
  return transition(started, cycle.position, aggregate.plan.paused ? 'pause' : 'start')
}

/** Begins the current cycle now instead of at its scheduled time. */
export function beginCycle(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const { zone } = aggregate.plan
  const start = at.round({ smallestUnit: 'millisecond', roundingMode: 'floor' })
  const localTime = start.toZonedDateTimeISO(zone).toPlainTime()
  const cycle = currentCycle(aggregate)
  return startCycle(
    withPlan(aggregate, { localTime }),
    cycle,
    firstSchedule(cycle.config, start, zone, localTime),
  )
}

function endCycle(aggregate: PlanAggregate, cycle: Cycle, schedule: Schedule, end: Instant): PlanAggregate {
  let ended = withCycle(aggregate, cycle.position, { endAt: end })
  const next = aggregate.cycles[cycle.position + 1]
  const hasOrderToCome = next === undefined && aggregate.plan.pendingLines.length > 0
  if (!hasOpenOrders(ended, cycle) && !hasOrderToCome) ended = transition(ended, cycle.position, 'complete')
  if (next === undefined) return ended
  ended = withPlan(ended, { currentCycle: next.position, state: next.state })
  return startCycle(ended, next, followingSchedule(schedule, cycle.nextPeriod, next.config))
}

/** Ends the current cycle at `at` and starts another there, whatever the dates of the old one were. Later cycles follow it. */
export function switchRhythm(aggregate: PlanAggregate, next: Cycle, at: Instant): PlanAggregate {
  const { plan } = aggregate
  const position = plan.currentCycle + 1
  const cycles = [...aggregate.cycles.slice(0, position), next, ...aggregate.cycles.slice(position)]
  let ended: PlanAggregate = {
    ...aggregate,
    cycles: cycles.map((cycle, index) => (cycle.position === index ? cycle : { ...cycle, position: index })),
  }
  ended = withCycle(ended, plan.currentCycle, { endAt: at })
  if (!hasOpenOrders(ended, cycleAt(ended, plan.currentCycle)))
    ended = transition(ended, plan.currentCycle, 'complete')
  ended = withPlan(ended, { currentCycle: position, state: next.state })
  const schedule = firstSchedule(next.config, at, plan.zone, plan.localTime)
  return startCycle(ended, cycleAt(ended, position), schedule)
}

export function hasOpenOrders(aggregate: PlanAggregate, cycle: Cycle): boolean {
  return aggregate.orders.some((order) => order.cyclePosition === cycle.position && isOpen(order))
}

/** @param skipUntil periods that begin until then are neither billed nor counted */
export function endSuspension(aggregate: PlanAggregate, at: Instant, skipUntil: Instant = at): PlanAggregate {
  if (aggregate.plan.suspendedAt === null) return aggregate
  const lifted = withPlan(aggregate, { suspendedAt: null })
  const orders = lifted.orders.map((order) =>
    isOpen(order) && order.nextAttemptAt !== null
      ? { ...order, nextAttemptAt: laterOf(order.nextAttemptAt, at) }
      : order,
  )
  return skipPeriods({ ...lifted, orders }, skipUntil)
}

/** Returns the end of the period that contains `at`; null before the first and after the last period. */
export function periodEnd(aggregate: PlanAggregate, at: Instant): Instant | null {
  const cycle = currentCycle(aggregate)
  if (cycle.start === null || cycle.endAt !== null) return null
  const schedule = scheduleOf(aggregate.plan, cycle)
  if (isAfter(billingDate(schedule, 0), at)) return null
  // An uncollectible plan stays in its last cycle after the last period has ended.
  if (isCountReached(cycle) && !isAfter(billingDate(schedule, cycle.nextPeriod), at)) return null
  return nextBillingDate(schedule, at)
}

export function nextTimelineAt(aggregate: PlanAggregate): Instant | null {
  const { plan } = aggregate
  return hasEnded(plan) ? null : earliestOf([nextBoundary(aggregate), plan.cancelAt])
}

/** When the next period of the current cycle begins, or the cycle ends; null if neither will happen. */
export function nextBoundary(aggregate: PlanAggregate): Instant | null {
  const { plan } = aggregate
  const cycle = currentCycle(aggregate)
  if (isBillingSuspended(plan, cycle) || cycle.endAt !== null) return null
  return cycle.start === null ? firstPeriodAt(plan) : billingDate(scheduleOf(plan, cycle), cycle.nextPeriod)
}

/** A cancellation ends the attempts of all orders, except the order that bills the remaining lines. */
function isCollecting(aggregate: PlanAggregate): boolean {
  return aggregate.plan.suspendedAt === null
}

/**
 * Returns the plan's earliest step. At the same time a cancellation comes first, then the end of a pause, then voids and
 * attempts, then a new period, because an attempt that fails for the last time prevents that period.
 */
export function nextDue(aggregate: PlanAggregate): Due | null {
  let due: Due | null = null
  const consider = (at: Instant | null, kind: Due['kind'], orderId: string | null): void => {
    if (at !== null && (due === null || isAfter(due.at, at))) due = { at, kind, orderId }
  }
  const lifecycleStep = nextLifecycleStep(aggregate)
  const comesFirst = lifecycleStep?.kind === 'cancellation' || lifecycleStep?.kind === 'pause_end'
  if (lifecycleStep !== null && comesFirst) consider(lifecycleStep.at, 'timeline', null)
  for (const order of aggregate.orders) {
    if (!isOpen(order) || order.blocked) continue
    consider(order.voidAt, 'void', order.orderId)
    if (isCollecting(aggregate)) consider(order.nextAttemptAt, 'attempt', order.orderId)
  }
  if (lifecycleStep !== null) consider(lifecycleStep.at, 'timeline', null)
  consider(nextTimelineAt(aggregate), 'timeline', null)
  return due
}

export interface CycleTimes {
  readonly estimatedStart: Instant | null
  readonly estimatedEnd: Instant | null
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

export function nextExecuteAt(aggregate: PlanAggregate): Instant | null {
  if (aggregate.plan.state === 'canceled') return null
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

export function attemptAt(aggregate: PlanAggregate, order: PlanOrder): Instant | null {
  const isMade = isOpen(order) && !order.blocked && isCollecting(aggregate) && !awaitsToken(aggregate, order)
  return isMade ? order.nextAttemptAt : null
}

function beforeCancellation(aggregate: PlanAggregate, at: Instant | null): Instant | null {
  const { cancelAt } = aggregate.plan
  return at !== null && cancelAt !== null && !isAfter(cancelAt, at) ? null : at
}

/**
 * Sets what the plan does next. An overdue step is due at the time of the change, because an advanced clock and a plan's
 * history never go back.
 */
export function withDue(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const due = nextDue(aggregate)
  const schedule = {
    due: due === null ? null : { ...due, at: laterOf(due.at, at) },
    nextExecuteAt: nextExecuteAt(aggregate),
  }
  const { plan } = aggregate
  return isSameSchedule(plan, schedule) ? aggregate : { ...aggregate, plan: { ...plan, ...schedule } }
}

function isSameSchedule(
  a: Pick<Plan, 'due' | 'nextExecuteAt'>,
  b: Pick<Plan, 'due' | 'nextExecuteAt'>,
): boolean {
  return (
    isSameInstant(a.due?.at, b.due?.at) &&
    a.due?.kind === b.due?.kind &&
    a.due?.orderId === b.due?.orderId &&
    isSameInstant(a.nextExecuteAt, b.nextExecuteAt)
  )
}

function isSameInstant(a: Instant | null | undefined, b: Instant | null | undefined): boolean {
  return a?.epochMilliseconds === b?.epochMilliseconds
}

import type { Instant } from '#kernel/clock'
import { instantOfLocal, localDateOf } from '#kernel/time-zone'
import {
  currentCycle,
  hasEnded,
  nextBoundary,
  type PlanAggregate,
  type ScheduledChange,
  sendsInvoices,
} from '#modules/plans'
import type { Wake } from '../model/wake.ts'

/** From how many of each unit on a period is half a year or more: shorter renewals are not announced. */
const MIN_ANNOUNCED = { day: 182, week: 26, month: 6, year: 1 } as const

interface Renewal {
  readonly at: Instant
  readonly date: Temporal.PlainDate
}

/** The scheduled changes of plans, by the plan's id. */
export type Scheduled = ReadonlyMap<string, ScheduledChange>

/**
 * Finds when the next period of a plan begins, also by a scheduled change of rhythm; null if the period is too short to be
 * announced, or the plan ends instead. The first period after a reactivation is not a renewal.
 */
export function renewalOf(aggregate: PlanAggregate, scheduled: Scheduled): Renewal | null {
  const { plan, cycles } = aggregate
  const cycle = currentCycle(aggregate)
  if (hasEnded(plan) || cycle.start === null || cycle.ordersCreated === 0) return null
  const isLast = cycle.billingCount !== null && cycle.ordersCreated >= cycle.billingCount
  // A change that waits for its payment takes place whenever it is paid.
  const change = plan.pendingChange?.payment === null ? scheduled.get(plan.id) : undefined
  const begins = change?.config ?? (isLast ? cycles[cycle.position + 1] : cycle)?.config
  if (begins === undefined || begins.interval_count < MIN_ANNOUNCED[begins.billing_interval]) return null
  const at = nextBoundary(aggregate)
  const endsBefore =
    at !== null && plan.cancelAt !== null && plan.cancelAt.epochMilliseconds <= at.epochMilliseconds
  return at === null || endsBefore ? null : { at, date: localDateOf(at, plan.zone) }
}

export function renewalWake(aggregate: PlanAggregate, scheduled: Scheduled, days: number): Wake | null {
  const { plan } = aggregate
  const renewal = renewalOf(aggregate, scheduled)
  if (renewal === null) return null
  const dueAt = instantOfLocal(renewal.date.subtract({ days }), plan.localTime, plan.zone)
  return { kind: 'renewal_ahead', objectId: plan.id, dueAt, step: 0 }
}

/** When the reminder of this step is due: the policy's days after the due date, or after the issue if there is none. */
export function reminderAt(aggregate: PlanAggregate, orderCreatedAt: Instant, step: number): Instant | null {
  const { plan, policy } = aggregate
  const days = policy?.reminders.toSorted((a, b) => a - b)[step]
  if (days === undefined) return null
  const untilDue = sendsInvoices(plan) ? (plan.invoicing?.daysUntilDue ?? 0) : 0
  const date = localDateOf(orderCreatedAt, plan.zone).add({ days: untilDue + days })
  return instantOfLocal(date, plan.localTime, plan.zone)
}

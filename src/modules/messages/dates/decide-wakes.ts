import type { Instant } from '#kernel/clock'
import { instantOfLocal, localDateOf } from '#kernel/time-zone'
import { currentCycle, hasEnded, nextBoundary, type PlanAggregate, sendsInvoices } from '#modules/plans'
import type { Wake } from '../model/wake.ts'

/** From how many of each unit on a period is half a year or more: shorter renewals are not announced. */
const MIN_ANNOUNCED = { day: 182, week: 26, month: 6, year: 1 } as const

interface Renewal {
  readonly at: Instant
  readonly date: Temporal.PlainDate
}

/**
 * Finds when the next period of a plan begins; null if the period is too short to be announced, or the plan ends instead. The first
 * period after a reactivation is not a renewal.
 */
export function renewalOf(aggregate: PlanAggregate): Renewal | null {
  const { plan, cycles } = aggregate
  const cycle = currentCycle(aggregate)
  if (hasEnded(plan) || cycle.start === null || cycle.ordersCreated === 0) return null
  const isLast = cycle.billingCount !== null && cycle.ordersCreated >= cycle.billingCount
  const begins = isLast ? cycles[cycle.position + 1] : cycle
  if (begins === undefined) return null
  const { billing_interval: interval, interval_count: count } = begins.config
  if (count < MIN_ANNOUNCED[interval]) return null
  const at = nextBoundary(aggregate)
  const endsBefore =
    at !== null && plan.cancelAt !== null && plan.cancelAt.epochMilliseconds <= at.epochMilliseconds
  return at === null || endsBefore ? null : { at, date: localDateOf(at, plan.zone) }
}

export function renewalWake(aggregate: PlanAggregate, days: number): Wake | null {
  const { plan } = aggregate
  const renewal = renewalOf(aggregate)
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

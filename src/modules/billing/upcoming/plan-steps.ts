import { type Instant, isAfter } from '#kernel/clock'
import type { Money } from '#kernel/money'
import {
  attemptAt,
  attemptFailed,
  attemptInitiated,
  attemptWaits,
  awaitsToken,
  billNext,
  cycleAt,
  hasEnded,
  isOpen,
  nextTimelineAt,
  type PlanAggregate,
  type PlanItems,
  type PlanOrder,
  type ScheduledChange,
  type Trial,
  withoutPause,
} from '#modules/plans'
import { retryNumbers } from '#modules/catalogue'

/**
 * What a plan does next, found by running the decisions of billing and dunning in memory (reference/timelines#next).
 * - `bill`: The order of the next period, the `nth` of its cycle. `of` is null where the cycle has no end.
 * - `cycle_end`: The cycle ends. `isLast`: no other cycle follows, and the plan is completed once all its orders are paid.
 * - `change`: A change that waited for the end of the period takes effect.
 * - `attempt`: The next attempt of an order, the `nth` of at most `of`.
 * - `attempt_under_way`: The outcome of an attempt is awaited.
 * - `token_awaited`: No attempt is made until another token is default, at the latest until `exhaustion`.
 * - `exhaustion`: All attempts would have failed by then. The plan becomes uncollectible or is canceled, and the order is voided
 *   at `voidAt`, or never.
 * - `void`: An order is voided unless it is paid before.
 * - `blocked`: Another operation of the order must end before its next attempt or its void.
 * - `trial_end`: The trial ends. `withoutToken` says what follows without an active default token.
 * - `resumption`: The pause ends by itself.
 * - `paused`, `uncollectible`: Nothing is billed until somebody resumes the plan, or pays.
 */
export type PlanStep =
  | {
      readonly kind: 'bill'
      readonly at: Instant
      readonly amount: Money
      readonly nth: number
      readonly of: number | null
    }
  | { readonly kind: 'cycle_end'; readonly at: Instant; readonly isLast: boolean }
  | { readonly kind: 'cancellation'; readonly at: Instant }
  | { readonly kind: 'change'; readonly at: Instant }
  | (OrderOfStep & {
      readonly kind: 'attempt'
      readonly at: Instant
      readonly nth: number
      readonly of: number
    })
  | (OrderOfStep & { readonly kind: 'attempt_under_way'; readonly nth: number; readonly of: number })
  | (OrderOfStep & { readonly kind: 'token_awaited' })
  | (OrderOfStep & {
      readonly kind: 'exhaustion'
      readonly at: Instant
      readonly voidAt: Instant | null
      readonly cancels: boolean
    })
  | (OrderOfStep & { readonly kind: 'void'; readonly at: Instant })
  | (OrderOfStep & { readonly kind: 'blocked' })
  | { readonly kind: 'trial_end'; readonly at: Instant; readonly withoutToken: Trial['withoutToken'] }
  | { readonly kind: 'resumption'; readonly at: Instant }
  | { readonly kind: 'paused' }
  | { readonly kind: 'uncollectible'; readonly isPermanent: boolean }

interface OrderOfStep {
  readonly orderId: string
}

export function planSteps(
  aggregate: PlanAggregate,
  items: PlanItems,
  now: Instant,
  scheduled?: ScheduledChange,
): PlanStep[] {
  const { cancelAt, pauseUntil } = aggregate.plan
  if (pauseUntil !== null && (cancelAt === null || isAfter(cancelAt, pauseUntil))) {
    const resumed = withoutPause(aggregate, pauseUntil, { bySchedule: true })
    return [{ kind: 'resumption', at: pauseUntil }, ...planSteps(resumed, items, now, scheduled)]
  }
  return [
    ...suspensionSteps(aggregate),
    ...aggregate.orders.flatMap((order) => collectionSteps(aggregate, order, now)),
    ...trialSteps(aggregate),
    ...timelineSteps(aggregate, items, scheduled),
  ]
}

function trialSteps({ plan: { trial, cancelAt, paused } }: PlanAggregate): PlanStep[] {
  if (trial?.state !== 'running' || paused) return []
  if (cancelAt !== null && !isAfter(cancelAt, trial.end)) return []
  return [{ kind: 'trial_end', at: trial.end, withoutToken: trial.withoutToken }]
}

function suspensionSteps({ plan }: PlanAggregate): PlanStep[] {
  if (hasEnded(plan)) return []
  const isPermanent = plan.permanentlyUncollectible
  if (plan.uncollectible || isPermanent) return [{ kind: 'uncollectible', isPermanent }]
  return plan.paused ? [{ kind: 'paused' }] : []
}

export function collectionSteps(aggregate: PlanAggregate, order: PlanOrder, now: Instant): PlanStep[] {
  if (!isOpen(order)) return []
  const { orderId, attempts, attemptTransaction, voidAt } = order
  const of = aggregate.policy ? retryNumbers(aggregate.policy).count : aggregate.plan.paymentRetryCount
  const steps: PlanStep[] = []
  const at = attemptAt(aggregate, order)
  if (attemptTransaction !== null) steps.push({ kind: 'attempt_under_way', orderId, nth: attempts, of })
  if (order.blocked) steps.push({ kind: 'blocked', orderId })
  if (at !== null)
    steps.push({ kind: 'attempt', at, orderId, nth: attempts + 1, of: Math.max(of, attempts + 1) })
  const isAwaiting =
    order.nextAttemptAt !== null && aggregate.plan.suspendedAt === null && awaitsToken(aggregate, order)
  if (isAwaiting) steps.push({ kind: 'token_awaited', orderId })
  if (at !== null || attemptTransaction !== null || isAwaiting)
    steps.push(...exhaustionSteps(aggregate, order, now))
  if (voidAt !== null && !order.blocked) steps.push({ kind: 'void', at: voidAt, orderId })
  return steps
}

/** Lets every attempt fail as the last one did, at its time. An order has at most 100 attempts. */
function exhaustionSteps(aggregate: PlanAggregate, { orderId }: PlanOrder, now: Instant): PlanStep[] {
  let failing = aggregate
  let at = now
  for (;;) {
    const order = failing.orders.find((candidate) => candidate.orderId === orderId)
    if (order === undefined) return []
    if (order.retriesExhausted) {
      const cancels = failing.policy?.exhausted === 'cancel'
      return [{ kind: 'exhaustion', at, orderId, voidAt: order.voidAt, cancels }]
    }
    if (order.attemptTransaction === null) {
      if (order.nextAttemptAt === null) return []
      at = order.nextAttemptAt
      if (awaitsToken(failing, order)) {
        failing = attemptWaits(failing, orderId, at)
        continue
      }
      failing = attemptInitiated(failing, orderId, orderId, at)
    }
    failing = attemptFailed(failing, orderId, at, {
      code: order.dunning?.declineCode ?? null,
      isHard: false,
    })
  }
}

/** Follows the timeline up to the next order, or to its end. Each round passes the end of a cycle. */
function timelineSteps(
  aggregate: PlanAggregate,
  items: PlanItems,
  scheduled: ScheduledChange | undefined,
): PlanStep[] {
  const { cancelAt } = aggregate.plan
  const steps: PlanStep[] = []
  let current = aggregate
  let currentItems = items
  for (let at = nextTimelineAt(current); at !== null; at = nextTimelineAt(current)) {
    if (cancelAt !== null && !isAfter(cancelAt, at)) return [...steps, { kind: 'cancellation', at: cancelAt }]
    const { currentCycle } = current.plan
    const hadEnded = cycleAt(current, currentCycle).endAt !== null
    const next = billNext(current, currentItems, at, scheduled)
    const { aggregate: after, bill } = next
    if (current.plan.pendingChange !== null && after.plan.pendingChange === null)
      steps.push({ kind: 'change', at })
    if (!hadEnded && cycleAt(after, currentCycle).endAt !== null) {
      steps.push({ kind: 'cycle_end', at, isLast: after.cycles[currentCycle + 1] === undefined })
    }
    if (bill !== undefined) {
      const cycle = cycleAt(after, bill.period.cyclePosition)
      const bills: PlanStep = {
        kind: 'bill',
        at: bill.period.start,
        amount: bill.lines.total,
        nth: cycle.ordersCreated,
        of: cycle.billingCount,
      }
      return cancelAt === null ? [...steps, bills] : [...steps, bills, { kind: 'cancellation', at: cancelAt }]
    }
    if (after === current) break
    current = after
    currentItems = next.items
  }
  return steps
}

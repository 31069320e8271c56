import type { Instant } from '#kernel/clock'
import type { Refused } from '#kernel/refusal'
import { isFinal } from '../model/cycle.states.ts'
import {
  cycleAt,
  isOpen,
  type PlanAggregate,
  type PlanOrder,
  sendsInvoices,
  withEvent,
} from '../model/plan.ts'
import { type EndedRefusal, refuseUnlessRecoverable } from '../model/refuse-ended.ts'
import { attemptEarlier, hasAttemptLeft } from './dunning.ts'

/** Makes the next attempt of open orders due at once. It counts as the attempt that was scheduled. */
export function retryNow(
  aggregate: PlanAggregate,
  orderId: string | null,
  at: Instant,
): PlanAggregate | EndedRefusal | Refused<'nothing_to_retry'> {
  const { plan } = aggregate
  const refused = refuseUnlessRecoverable(aggregate)
  if (refused !== null) return refused
  if (plan.paused) return { refused: 'nothing_to_retry', message: 'The plan is paused. Resume it first.' }
  const open = aggregate.orders.filter(
    (order) => isOpen(order) && order.paidFirst === null && (orderId ?? order.orderId) === order.orderId,
  )
  const due = open.filter((order) => whyNotRetried(aggregate, order) === null)
  if (due.length > 0) {
    const ids = new Set(due.map((order) => order.orderId))
    const orders = aggregate.orders.map((order) =>
      ids.has(order.orderId) ? attemptEarlier(order, at) : order,
    )
    return withEvent({ ...aggregate, orders }, { type: 'plan.updated' })
  }
  const [first] = open
  if (first === undefined) return { refused: 'nothing_to_retry' }
  return { refused: 'nothing_to_retry', message: whyNotRetried(aggregate, first) ?? '' }
}

function whyNotRetried(aggregate: PlanAggregate, order: PlanOrder): string | null {
  const { plan } = aggregate
  if (sendsInvoices(plan)) return 'Its invoice is sent to be paid, so no attempt is made.'
  if (plan.uncollectible || !hasAttemptLeft(aggregate, order)) {
    return 'No attempt of the order is left. Pay it with POST …/orders/pay, which revives the plan.'
  }
  if (order.attemptTransaction !== null) return 'An attempt of the order is under way.'
  if (order.blocked) return 'Another payment, refund or void of the order has no outcome yet.'
  return isFinal(cycleAt(aggregate, order.cyclePosition).state) ? 'The cycle of the order has ended.' : null
}

import { withAddedQuery } from '#kernel/added-query'
import {
  correspondenceState,
  freeTotal,
  isUnresolved,
  type LinkedOrderView,
  type Order,
  type Transaction,
} from '#modules/payments'

/**
 * What the payer finds behind a payment link.
 * `action`: a payment waits for the payer at a bank or wallet. `processing`: a payment is under way and nobody can do
 * anything but wait. `closed`: the timeout of a plan's order ran out, and with it this link.
 */
export type Standing =
  | { readonly kind: 'payable'; readonly lastFailed: Transaction | null }
  | { readonly kind: 'action'; readonly transaction: Transaction; readonly url: string }
  | { readonly kind: 'processing' }
  | { readonly kind: OrderEnd }

export type OrderEnd = 'paid' | 'refunded' | 'voided' | 'expired' | 'closed'

/** Decides what a payment link shows. */
export function standingOf({ order, transactions, status }: LinkedOrderView): Standing {
  if (order.state === 'voided' || order.state === 'expired') return { kind: order.state }
  if (status === 'paid') {
    const isRefunded = order.state === 'refunded' || correspondenceState(order) === 'partial_paid'
    return { kind: isRefunded ? 'refunded' : 'paid' }
  }
  const isFree = order.voiding === null && freeTotal(order).isPositive()
  const waiting = transactions.find(
    ({ state, nextAction, paymentMethod }) =>
      isUnresolved(state) && nextAction !== null && (!isFree || paymentMethod !== 'payment_token'),
  )
  if (waiting?.nextAction) return { kind: 'action', transaction: waiting, url: waiting.nextAction.url }
  // Under way, of unknown outcome, being voided, or authorized and not yet captured: not to be paid a second time.
  if (!isFree) return { kind: 'processing' }
  // The due work expires the order in a moment; the payer need not see that it has not yet.
  if (status === 'gone') return { kind: 'expired' }
  if (status === 'closed') return { kind: 'closed' }
  return { kind: 'payable', lastFailed: lastFailedOf(transactions) }
}

/** Whether nobody declined it: the payer took it back. One whose payer let the time run out was not. */
function wasTakenBack({ answer }: Transaction): boolean {
  return answer.failure === 'canceled' && answer.responseCode === 'canceled'
}

function lastFailedOf(transactions: readonly Transaction[]): Transaction | null {
  const last = transactions.findLast(({ type }) => type === 'Sales' || type === 'Authorization')
  return last?.state === 'failed' ? last : null
}

/** `result` of return_url (decisions, section 3). */
export type Result = 'paid' | 'failed' | 'canceled' | 'expired'

/** What the merchant's page is told when the payer goes back to it now. */
export function resultOf(standing: Standing): Result {
  switch (standing.kind) {
    case 'paid':
    case 'refunded':
      return 'paid'
    case 'expired':
    case 'closed':
      return 'expired'
    case 'payable':
      return standing.lastFailed === null || wasTakenBack(standing.lastFailed) ? 'canceled' : 'failed'
    case 'voided':
    case 'action':
    case 'processing':
      return 'canceled'
  }
}

/** The order's return_url with order_number, reference_number and result added; null when the order has none. */
export function returnAddress(order: Order, result: Result): string | null {
  if (order.returnUrl === null) return null
  return withAddedQuery(order.returnUrl, {
    order_number: order.id,
    reference_number: order.referenceNumber,
    result,
  })
}

/** Where the payer goes from an order that is over: when its time ran out to the timeout's address, else back to the shop. */
export function wayOut(order: Order, standing: Standing): string | null {
  const isLate = standing.kind === 'expired' || standing.kind === 'closed'
  return (isLate ? order.timeout?.url : undefined) ?? returnAddress(order, resultOf(standing))
}

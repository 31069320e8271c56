import { withAddedQuery } from '#kernel/added-query'
import {
  correspondenceState,
  freeTotal,
  isUnresolved,
  type LinkedOrderView,
  type Order,
  type Transaction,
} from '#modules/payments'
import { areAttemptsExhausted } from './attempt-limit.ts'

/**
 * What a payment link shows. `requires_action`: a payment waits for the payer at a bank or wallet. `processing`: a payment
 * has no result yet, and the payer can only wait. `closed`: the timeout of a plan's order closed this link.
 */
export type CheckoutState =
  | { readonly kind: 'payable' | 'attempts_exhausted'; readonly lastFailed: Transaction | null }
  | { readonly kind: 'requires_action'; readonly transaction: Transaction; readonly url: string }
  | { readonly kind: 'processing' }
  | { readonly kind: ClosedState }

export type ClosedState = 'paid' | 'refunded' | 'voided' | 'expired' | 'closed'

export function checkoutStateOf({ order, transactions, status }: LinkedOrderView): CheckoutState {
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
  if (waiting?.nextAction) {
    return { kind: 'requires_action', transaction: waiting, url: waiting.nextAction.url }
  }
  // The whole amount is reserved, authorized or being voided: a second payment would charge the payer twice.
  if (!isFree) return { kind: 'processing' }
  if (status === 'gone') return { kind: 'expired' }
  if (status === 'closed') return { kind: 'closed' }
  return {
    kind: areAttemptsExhausted(transactions) ? 'attempts_exhausted' : 'payable',
    lastFailed: lastFailedPayment(transactions),
  }
}

/** False for a payment that ran out of time: `failure` is the same, `responseCode` is `expired`. */
function wasCanceledByPayer({ answer }: Transaction): boolean {
  return answer.failure === 'canceled' && answer.responseCode === 'canceled'
}

function lastFailedPayment(transactions: readonly Transaction[]): Transaction | null {
  const last = transactions.findLast(({ type }) => type === 'Sales' || type === 'Authorization')
  return last?.state === 'failed' ? last : null
}

export type ReturnResult = 'paid' | 'failed' | 'canceled' | 'expired'

export function returnResultOf(state: CheckoutState): ReturnResult {
  switch (state.kind) {
    case 'paid':
    case 'refunded':
      return 'paid'
    case 'expired':
    case 'closed':
      return 'expired'
    case 'payable':
    case 'attempts_exhausted':
      return state.lastFailed === null || wasCanceledByPayer(state.lastFailed) ? 'canceled' : 'failed'
    case 'voided':
    case 'requires_action':
    case 'processing':
      return 'canceled'
  }
}

/** A payment of a wallet by API may name a URL of its own; the newest one counts. */
function ownReturnUrl(transactions: readonly Transaction[]): string | null {
  return (
    transactions.findLast(({ instrument }) => instrument.returnUrl !== undefined)?.instrument.returnUrl ??
    null
  )
}

export function returnUrlOf(
  order: Order,
  result: ReturnResult,
  transactions: readonly Transaction[] = [],
): string | null {
  const returnUrl = ownReturnUrl(transactions) ?? order.returnUrl
  if (returnUrl === null) return null
  return withAddedQuery(returnUrl, {
    order_number: order.id,
    reference_number: order.referenceNumber,
    result,
  })
}

export function exitUrlOf(
  order: Order,
  state: CheckoutState,
  transactions: readonly Transaction[] = [],
): string | null {
  const isLate = state.kind === 'expired' || state.kind === 'closed'
  return (isLate ? order.timeout?.url : undefined) ?? returnUrlOf(order, returnResultOf(state), transactions)
}

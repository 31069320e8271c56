import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import { decideVoidTransaction } from '../follow-ups/decide-void-transaction.ts'
import type { Order, Voiding } from '../model/order.ts'
import type { OrderVoidRefusal } from '../model/order-void-result.ts'
import { isSuccessful, isMovedOutside, type Transaction, usedOf } from '../model/transaction.ts'
import { isUnresolved, isWaitingForPayer } from '../model/transaction.states.ts'

export type OrderVoidDecision =
  | Refused<OrderVoidRefusal>
  | { readonly kind: 'voided' }
  | { readonly kind: 'wait'; readonly keys: readonly string[] }
  /** Payments that wait for their payer are canceled first: they may still become money. */
  | { readonly kind: 'cancel'; readonly transactions: readonly Transaction[] }
  | { readonly kind: 'reverse'; readonly reversals: readonly Reversal[] }
  | { readonly kind: 'finish' }

type Reversal =
  | { readonly kind: 'void'; readonly transaction: Transaction }
  | { readonly kind: 'refund'; readonly transaction: Transaction; readonly amount: Money }

/**
 * Decides the next step of an order's void. Captures are voided before their authorizations. The void at the end of a plan's
 * grace refunds settled or partly refunded payments, keeps money that moved outside or was lost in disputes, and waits for open outcomes. A merchant's void is
 * refused for all three (reference/payments#voiding).
 */
export function decideVoidOrder(
  order: Order,
  transactions: readonly Transaction[],
  mode: Voiding['mode'],
  now: Instant,
): OrderVoidDecision {
  if (order.state === 'voided') return { kind: 'voided' }
  if (order.state !== 'open' && order.state !== 'completed') return { refused: 'order_not_voidable' }
  const open = transactions.filter(({ state, voidPending }) => isUnresolved(state) || voidPending)
  const unresolved = open.filter(({ state }) => state === 'initiated' || state === 'unknown')
  if (unresolved.length > 0 && mode === 'merchant' && order.voiding === null) {
    return { refused: 'payment_in_progress' }
  }
  const held = transactions.filter(
    (transaction) => isHeld(transaction, transactions) && !(mode === 'grace' && isMovedOutside(transaction)),
  )
  if (mode === 'merchant') {
    if (order.movedToCredit.isPositive()) return { refused: 'payment_in_use' }
    if (transactions.some(({ lost }) => lost !== null)) return { refused: 'order_not_voidable' }
    const refused = held
      .map((transaction) => whyNotVoidable(transaction, transactions, now))
      .find((why) => why !== null)
    if (refused !== undefined && refused !== null) return { refused }
  }
  const waitsForPayer = open.filter(({ state }) => isWaitingForPayer(state))
  if (waitsForPayer.length > 0) return { kind: 'cancel', transactions: waitsForPayer }
  if (open.length > 0) return { kind: 'wait', keys: open.map((transaction) => openKeyOf(transaction)) }
  const captured = held.filter((transaction) => transaction.type !== 'Authorization')
  const next = captured.length > 0 ? captured : held
  if (next.length === 0) return { kind: 'finish' }
  return { kind: 'reverse', reversals: next.map((one) => reversalOf(one, transactions, now)) }
}

/**
 * Whether the transaction holds money, or reserves it at the payer's bank. The rest of a partly captured authorization cannot
 * be voided: it expires, or is voided after its captures.
 */
function isHeld(transaction: Transaction, transactions: readonly Transaction[]): boolean {
  if (!isSuccessful(transaction) || transaction.type === 'Refund') return false
  const { done } = usedOf(transaction, transactions)
  return transaction.type === 'Authorization' ? done.isZero() : done.lessThan(transaction.amount)
}

/** An authorization is never refused: its captures are checked one by one. */
function whyNotVoidable(
  transaction: Transaction,
  transactions: readonly Transaction[],
  now: Instant,
): OrderVoidRefusal | null {
  if (transaction.type === 'Authorization') return null
  const refused = decideVoidTransaction(transaction, transactions, now)?.refused ?? null
  return refused === 'transaction_not_voidable' ? 'order_not_voidable' : refused
}

function reversalOf(transaction: Transaction, transactions: readonly Transaction[], now: Instant): Reversal {
  if (
    transaction.type === 'Authorization' ||
    decideVoidTransaction(transaction, transactions, now) === null
  ) {
    return { kind: 'void', transaction }
  }
  const amount = transaction.amount.minus(usedOf(transaction, transactions).done)
  return { kind: 'refund', transaction, amount }
}

function openKeyOf(transaction: Transaction): string {
  return transaction.voidPending && transaction.voidKey !== null ? transaction.voidKey : transaction.id
}

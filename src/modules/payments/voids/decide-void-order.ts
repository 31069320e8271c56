import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import { decideVoidTransaction } from './decide-void-transaction.ts'
import type { Order, Voiding } from '../model/order.ts'
import { isSuccessful, type Transaction, usedOf } from '../model/transaction.ts'
import { isUnresolved, isWaitingForPayer } from '../model/transaction.states.ts'

type OrderVoidRefusal = 'order_not_voidable' | 'already_settled' | 'payment_in_progress'

/** What is to be done next to void an order. */
export type OrderVoidDecision =
  | { readonly kind: 'voided' }
  | { readonly kind: 'refuse'; readonly reason: OrderVoidRefusal }
  /** Something is under way whose outcome is needed first. `keys`: of it. */
  | { readonly kind: 'wait'; readonly keys: readonly string[] }
  /** Waiting for a payer: to be cancelled first, since they may still become money. */
  | { readonly kind: 'cancel'; readonly transactions: readonly Transaction[] }
  | { readonly kind: 'reverse'; readonly reversals: readonly Reversal[] }
  /** No money is left: the order itself can be voided. */
  | { readonly kind: 'finish' }

type Reversal =
  | { readonly kind: 'void'; readonly transaction: Transaction }
  | { readonly kind: 'refund'; readonly transaction: Transaction; readonly amount: Money }

/**
 * Decides the next step of an order's void (decisions, section 3, "Void"). Captures are voided before the authorizations
 * they took from. In `grace` what is settled or partly refunded is refunded, and what is unresolved is waited for; for a
 * merchant both end the void.
 */
export function decideVoidOrder(
  order: Order,
  transactions: readonly Transaction[],
  mode: Voiding['mode'],
  now: Instant,
): OrderVoidDecision {
  if (order.state === 'voided') return { kind: 'voided' }
  if (order.state !== 'open' && order.state !== 'completed') return refuse('order_not_voidable')
  const open = transactions.filter(({ state, voidPending }) => isUnresolved(state) || voidPending)
  const unresolved = open.filter(({ state }) => state === 'initiated' || state === 'unknown')
  if (unresolved.length > 0 && mode === 'merchant' && order.voiding === null)
    return refuse('payment_in_progress')
  const held = transactions.filter((transaction) => isHeld(transaction, transactions))
  if (mode === 'merchant') {
    const refused = held
      .map((transaction) => whyKept(transaction, transactions, now))
      .find((why) => why !== null)
    if (refused !== undefined && refused !== null) return refuse(refused)
  }
  const waitsForPayer = open.filter(({ state }) => isWaitingForPayer(state))
  if (waitsForPayer.length > 0) return { kind: 'cancel', transactions: waitsForPayer }
  if (open.length > 0) return { kind: 'wait', keys: open.map((transaction) => keyOf(transaction)) }
  const captured = held.filter((transaction) => transaction.type !== 'Authorization')
  const next = captured.length > 0 ? captured : held
  if (next.length === 0) return { kind: 'finish' }
  return { kind: 'reverse', reversals: next.map((one) => reversalOf(one, transactions, now)) }
}

/**
 * Whether it holds money, or a hold on money. What is left of an authorization of which a capture stands cannot be voided;
 * it lapses, or is voided after its captures.
 */
function isHeld(transaction: Transaction, transactions: readonly Transaction[]): boolean {
  if (!isSuccessful(transaction) || transaction.type === 'Refund') return false
  const { done } = usedOf(transaction, transactions)
  return transaction.type === 'Authorization' ? done.isZero() : done.lessThan(transaction.amount)
}

/** Why a merchant's void must not touch it. An authorization's captures are judged for themselves. */
function whyKept(
  transaction: Transaction,
  transactions: readonly Transaction[],
  now: Instant,
): OrderVoidRefusal | null {
  if (transaction.type === 'Authorization') return null
  const refused = decideVoidTransaction(transaction, transactions, now)
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

/** The key of what is under way of a transaction: its own, or that of its void. */
function keyOf(transaction: Transaction): string {
  return transaction.voidPending && transaction.voidKey !== null ? transaction.voidKey : transaction.id
}

function refuse(reason: OrderVoidRefusal): OrderVoidDecision {
  return { kind: 'refuse', reason }
}

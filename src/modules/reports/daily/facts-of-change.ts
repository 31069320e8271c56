import { type Instant, isBefore } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { OrderChange, Transaction } from '#modules/payments'
import { type Fact, NOTHING } from '../model/fact.ts'

/**
 * Money counts on the day on which it moved, and a voided payment no longer counts on that day. Attempts to pay count on the
 * day on which they were made (reference/reports#days).
 */
export function factsOfChange(change: OrderChange): Fact[] {
  const { order, before, at } = change
  const facts = change.transactions.flatMap((changed) => factsOfTransaction(change, changed))
  const isPaidNow = order.state === 'completed' && before?.state === 'open'
  return isPaidNow ? [...facts, fact(order.currency, at, { ordersPaid: 1 })] : facts
}

function factsOfTransaction(
  { order, allTransactions }: OrderChange,
  { before, transaction }: OrderChange['transactions'][number],
): Fact[] {
  const { type, state, paymentMethod, currency, succeededAt, createdAt } = transaction
  const amount = transaction.amount.abs().minor
  const isRecurring = order.type === 'recurring'
  const facts: Fact[] = []
  const moved = movedNow(before, transaction)
  const movedAt = succeededAt ?? before?.succeededAt ?? null
  if (moved !== 0n && movedAt !== null) {
    const money =
      type === 'Refund'
        ? { refunded: amount * moved }
        : { paid: amount * moved, recurringPaid: isRecurring ? amount * moved : 0n }
    facts.push(fact(currency, movedAt, money))
  }
  const isAttempt = (type === 'Sales' || type === 'Authorization') && paymentMethod !== 'bank_transfer'
  if (!isAttempt) return facts
  const isApproved = succeededAt !== null && (before === null || before.succeededAt === null)
  const isDeclined = state === 'failed' && before?.state !== 'failed'
  if (!isApproved && !isDeclined) return facts
  const dunning = isRecurring && isRetry(transaction, allTransactions) ? amount : 0n
  facts.push(
    fact(currency, createdAt, {
      approved: isApproved ? 1 : moved < 0n ? -1 : 0,
      declined: isDeclined ? 1 : 0,
      dunningAttempted: dunning,
      dunningRecovered: isApproved ? dunning : 0n,
      declineCode: isDeclined ? transaction.answer.responseCode : null,
      declinedAmount: isDeclined ? amount : 0n,
    }),
  )
  return facts
}

function movedNow(before: Transaction | null, { type, state }: Transaction): bigint {
  if (type === 'Authorization') return 0n
  const had = before?.state === 'succeeded'
  const has = state === 'succeeded'
  return had === has ? 0n : has ? 1n : -1n
}

/** An attempt after one that failed. The try of a fallback account belongs to the attempt before it. */
function isRetry({ createdAt, fallbackOf }: Transaction, allTransactions: readonly Transaction[]): boolean {
  return (
    fallbackOf === null &&
    allTransactions.some(
      (other) => other.type === 'Sales' && other.state === 'failed' && isBefore(other.createdAt, createdAt),
    )
  )
}

function fact(currency: string, dayAt: Instant, measures: Partial<Fact>): Fact {
  return { ...NOTHING, id: newId('fct'), dayAt, currency, ...measures }
}

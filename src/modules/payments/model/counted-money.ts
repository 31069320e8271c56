import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Transaction } from './transaction.ts'

/**
 * - `amount`: Above zero; below zero for a refund that failed after its day was closed.
 * - `date`: YYYY-MM-DD, the local day on which it counts.
 * - `at`: An instant of that day that is already known; null for a date that the bank or the caller named.
 */
export interface CountedMoney {
  readonly measure: 'paid' | 'refunded'
  readonly amount: Money
  readonly date: string
  readonly at: Instant | null
}

/**
 * Which money of a transaction counts on which local day. Reports, totals and files follow it (reference/reports#days). What was
 * undone or failed later counts nowhere. A transfer that the bank took back, and what failed after its day was closed, stays on its
 * value date, and is refunded on the day of the return.
 */
export function countedMoney(transaction: Transaction): readonly CountedMoney[] {
  const { type, state, valueDate, succeededAt, storedValueDate, returnedOn } = transaction
  if (type === 'Authorization' || valueDate === null) return []
  const amount = transaction.amount.abs()
  const at = storedValueDate === null ? succeededAt : null
  const moved = { measure: type === 'Refund' ? 'refunded' : 'paid', amount, date: valueDate, at } as const
  if (state === 'succeeded') return [moved]
  if (returnedOn === null) return []
  return [moved, { amount: transaction.amount, measure: 'refunded', date: returnedOn, at: null }]
}

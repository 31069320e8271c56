import { type Instant, isBefore } from '#kernel/clock'
import { nextLocalMidnight, type TimeZone } from '#kernel/time-zone'
import { capabilitiesOf } from '#modules/acquirers'
import type { Transaction } from '../model/transaction.ts'
import type { TransactionState } from '../model/transaction.states.ts'

export function settlementTime(
  { type, acquirerName }: Pick<Transaction, 'type' | 'acquirerName'>,
  state: TransactionState,
  at: Instant,
  zone: TimeZone,
): Instant | null {
  if (state !== 'succeeded' || type === 'Refund') return null
  return capabilitiesOf(acquirerName).voidsCaptured ? nextLocalMidnight(at, zone) : at
}

/**
 * See reference/payments#settlement. Where captured payments cannot be voided, they are settled even before `settlesAt`,
 * because a moved clock can stand earlier.
 */
export function isSettled({ settlesAt, acquirerName }: Transaction, now: Instant): boolean {
  if (settlesAt === null) return false
  return !capabilitiesOf(acquirerName).voidsCaptured || !isBefore(now, settlesAt)
}

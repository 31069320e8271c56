import type { Instant } from '#kernel/clock'
import { localDateOf, type TimeZone } from '#kernel/time-zone'
import type { Transaction } from './transaction.ts'

type Dates = Pick<Transaction, 'succeededAt' | 'valueDate' | 'storedValueDate'>

export const NOT_SUCCEEDED = {
  succeededAt: null,
  valueDate: null,
  storedValueDate: null,
} as const satisfies Dates

/**
 * When a transaction succeeds: the date on which its money moved, in the business's zone
 * (reference/payments#value-dates).
 */
export function succeededOn(
  { createdAt }: Pick<Transaction, 'createdAt'>,
  at: Instant,
  zone: TimeZone,
): Dates {
  const valueDate = localDateOf(at, zone).toString()
  const isOfCreation = localDateOf(createdAt, zone).toString() === valueDate
  return { succeededAt: at, valueDate, storedValueDate: isOfCreation ? null : valueDate }
}

/** When money moved outside on a day that the bank or the caller names: `valueDate`, YYYY-MM-DD. */
export function movedOn(valueDate: string, recordedAt: Instant): Dates {
  return { succeededAt: recordedAt, valueDate, storedValueDate: valueDate }
}

import type { Instant } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'

/** What one change adds to a day. Amounts are minor units; the void of a payment subtracts. */
export interface Measures {
  readonly paid: bigint
  readonly refunded: bigint
  readonly ordersPaid: number
  readonly approved: number
  readonly declined: number
  readonly recurringPaid: bigint
  readonly dunningRecovered: bigint
  readonly dunningAttempted: bigint
}

export interface Fact extends Measures {
  readonly id: string
  readonly dayAt: Instant
  readonly currency: Currency
  readonly declineCode: string | null
  readonly declinedAmount: bigint
}

export const NOTHING: Omit<Fact, 'id' | 'dayAt' | 'currency'> = {
  paid: 0n,
  refunded: 0n,
  ordersPaid: 0,
  approved: 0,
  declined: 0,
  recurringPaid: 0n,
  dunningRecovered: 0n,
  dunningAttempted: 0n,
  declineCode: null,
  declinedAmount: 0n,
}

export function plusMeasures<Total extends Measures>(total: Total, added: Measures): Total {
  return {
    ...total,
    paid: total.paid + added.paid,
    refunded: total.refunded + added.refunded,
    ordersPaid: total.ordersPaid + added.ordersPaid,
    approved: total.approved + added.approved,
    declined: total.declined + added.declined,
    recurringPaid: total.recurringPaid + added.recurringPaid,
    dunningRecovered: total.dunningRecovered + added.dunningRecovered,
    dunningAttempted: total.dunningAttempted + added.dunningAttempted,
  }
}

import type { Money } from '#kernel/money'

/** What was given up of an invoice. - `transactionId`: The transfer at whose match it was, else null. */
export interface WriteOff {
  readonly id: string
  readonly orderId: string
  readonly invoiceId: string
  readonly customerUuid: string
  readonly amount: Money
  readonly reason: string
  readonly transactionId: string | null
}

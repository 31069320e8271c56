import type { Money } from '#kernel/money'

/**
 * What was given up of an invoice.
 * - `amount`: Negative for what was reversed, because it was credited.
 * - `transactionId`: The transfer at whose match it was given up, else null.
 */
export interface WriteOff {
  readonly id: string
  readonly orderId: string
  readonly invoiceId: string
  readonly customerUuid: string
  readonly amount: Money
  readonly reason: string
  readonly transactionId: string | null
}

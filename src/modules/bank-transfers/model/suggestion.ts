import type { Money } from '#kernel/money'

/** - `customerName`: As the invoice has it. */
export interface SuggestableInvoice {
  readonly id: string
  readonly number: string
  readonly paymentReference: string
  readonly orderId: string
  readonly customerUuid: string
  readonly customerName: string
  readonly amountDue: Money
  readonly dueDate: string
}

export const REASONS = ['paid_twice', 'reference', 'amount', 'payer', 'name'] as const
export type Reason = (typeof REASONS)[number]

/** - `shares`: What a match would pay. They sum to the entry, or are none if it was paid twice. */
export interface Suggestion {
  readonly customer: Pick<SuggestableInvoice, 'customerUuid' | 'customerName'>
  readonly shares: readonly { readonly invoice: SuggestableInvoice; readonly amount: Money }[]
  readonly reasons: readonly Reason[]
}

import type { Instant } from '#kernel/clock'
import type { InvoiceRequest } from './invoice-requests.ts'
import type { IssuedInvoice, SequencePlace } from './issued-invoice.ts'

/** What an invoice says besides what its number and its order give it. */
export type InvoiceContent = Omit<
  IssuedInvoice,
  | keyof SequencePlace
  | 'id'
  | 'number'
  | 'orderNumber'
  | 'paymentReference'
  | 'isErased'
  | 'createdAt'
  | 'updatedAt'
>

/**
 * An invoice that is not issued. Nobody owes it, and its amounts are those of its last change.
 * - `request`: What the issue makes the invoice of, at its own date and rates.
 */
export interface DraftInvoice extends Omit<InvoiceContent, 'state' | 'issueDate' | 'dueDate'> {
  readonly id: string
  readonly state: 'draft'
  readonly request: InvoiceRequest
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export type AnyInvoice = IssuedInvoice | DraftInvoice

export function isDraft(invoice: AnyInvoice): invoice is DraftInvoice {
  return invoice.state === 'draft'
}

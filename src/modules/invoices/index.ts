export type { PlanCredit, PlanHandler, Settlement } from './context.ts'
export type { LeftOfLine } from './notes/left-of-orders.ts'
export type { OrderToInvoice } from './issue/decide-document.ts'
export { errors as invoiceErrors } from './errors.ts'
export type { OrderDocument } from './storage/order-document.repository.ts'
export type { PayableInvoice } from './storage/payable.repository.ts'
export type { IssuedInvoice } from './model/issued-invoice.ts'
export { numbersToSkip, skipDocumentNumbers } from './recovery/skip-document-numbers.ts'
export { findNumberGaps } from './storage/sequence.repository.ts'
export { outsideMethodText } from './documents/outside-methods.ts'
export { type TransferDetails, transferTexts } from './documents/transfer-details.ts'
export type { InvoiceView } from './issue/read-invoices.ts'
export { isDraft } from './model/draft-invoice.ts'
export {
  DocumentQuery,
  EINVOICE_INCOMPLETE,
  INVOICE_EVENTS,
  type Invoices,
  InvoiceSchema,
  invoicesModule,
  renderDocument,
  renderInvoicesPage,
  renderInvoiceView,
} from './module.ts'

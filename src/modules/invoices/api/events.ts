import { CreditNoteEventData, InvoiceData } from './schemas.ts'

/** The events with the schema of their `data` (reference/events#types). */
export const INVOICE_EVENTS = {
  'invoice.issued': InvoiceData,
  'invoice.paid': InvoiceData,
  'invoice.credited': InvoiceData,
  'invoice.overdue': InvoiceData,
  'invoice.uncollectible': InvoiceData,
  'credit_note.issued': CreditNoteEventData,
} as const

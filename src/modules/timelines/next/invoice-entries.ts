import type { OrderDocument } from '#modules/invoices'
import type { NextEntry } from './next-entry.ts'

export function invoiceEntries(documents: readonly OrderDocument[]): NextEntry[] {
  return documents.flatMap(({ id, number, overdueAt, amountDue }): NextEntry[] =>
    overdueAt === null
      ? []
      : [
          {
            at: overdueAt,
            kind: 'invoice.becomes_overdue',
            text: `Invoice ${number} becomes overdue, unless it is paid before.`,
            reason: 'Its due date ends.',
            reasonCode: 'invoice_due',
            details: { document_number: number },
            objectId: id,
            amount: amountDue,
          },
        ],
  )
}

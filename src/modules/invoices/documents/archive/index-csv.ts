import { decimalToString } from '#kernel/decimal'
import type { Money } from '#kernel/money'
import { csvLine } from '#platform/http/routes/csv'
import type { IssuedInvoice } from '../../model/issued-invoice.ts'

/** - `missing`: What the document lacks for an electronic invoice. */
export interface IndexedDocument {
  readonly invoice: IssuedInvoice
  readonly files: readonly string[]
  readonly missing: readonly string[]
}

const COLUMNS: readonly (readonly [name: string, value: (document: IndexedDocument) => string])[] = [
  ['number', ({ invoice }) => invoice.number],
  ['type', ({ invoice }) => invoice.type],
  ['state', ({ invoice }) => invoice.state],
  ['issue_date', ({ invoice }) => invoice.issueDate],
  ['due_date', ({ invoice }) => (invoice.type === 'invoice' ? invoice.dueDate : '')],
  ['seller', ({ invoice }) => invoice.seller.name],
  ['buyer', ({ invoice }) => invoice.buyer.name],
  ['buyer_country', ({ invoice }) => invoice.buyer.address?.country ?? ''],
  ['buyer_tax_ids', ({ invoice }) => invoice.buyer.taxIds.map(({ value }) => value).join(' ')],
  ['currency', ({ invoice }) => invoice.currency],
  ['rate', ({ invoice }) => ratesOf(invoice)],
  ['treatment', ({ invoice }) => treatmentsOf(invoice)],
  ['net_total', ({ invoice }) => signed(invoice, invoice.netTotal)],
  ['tax_total', ({ invoice }) => signed(invoice, invoice.taxTotal)],
  ['total', ({ invoice }) => signed(invoice, invoice.total)],
  ['credited_total', ({ invoice }) => signed(invoice, invoice.creditedTotal)],
  ['amount_due', ({ invoice }) => signed(invoice, invoice.amountDue)],
  ['invoice_number', ({ invoice }) => invoice.corrected.map(({ number }) => number).join(', ')],
  ['order_number', ({ invoice }) => invoice.orderNumber],
  ['payment_reference', ({ invoice }) => invoice.paymentReference],
  ['id', ({ invoice }) => invoice.id],
  ['files', ({ files }) => files.join(' ')],
  ['missing', ({ missing }) => missing.join(' ')],
]

/** Percentages, in the order of the lines. */
function ratesOf({ lines }: IssuedInvoice): string {
  const rates = lines.flatMap((line) => line.rates.map(({ percentage }) => decimalToString(percentage)))
  return [...new Set(rates)].join(' ')
}

function treatmentsOf({ lines }: IssuedInvoice): string {
  return [...new Set(lines.map(({ treatment }) => treatment))].join(' ')
}

/** The amounts of a credit note are negative, so that columns can be summed. */
function signed({ type }: IssuedInvoice, amount: Money): string {
  return (type === 'credit_note' ? amount.negated() : amount).toString()
}

/** Without the byte order mark, Excel reads a file in the code page of the computer. */
export const INDEX_HEADER = `\uFEFF${csvLine(COLUMNS.map(([name]) => name))}`

export function indexLine(document: IndexedDocument): string {
  return csvLine(COLUMNS.map(([, value]) => value(document)))
}

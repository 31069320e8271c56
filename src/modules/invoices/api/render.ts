import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import { type Decimal, decimalToString } from '#kernel/decimal'
import { rawNumber } from '#kernel/json'
import { Money, sumMoney } from '#kernel/money'
import type { Transaction } from '#modules/payments'
import { type Address, bankMembers } from '#modules/taxes'
import { renderPage } from '#platform/http/validation/list'
import { editMetadata } from '#platform/http/validation/metadata'
import { rangeText } from '#platform/http/validation/date-range'
import { StreamedFile } from '#platform/http/routes/streamed-file'
import { withoutPerson } from '#platform/personal-data/rewrite'
import type { MonthArchive } from '../documents/archive/month-archive.ts'
import { fileName, isDrawn } from '../documents/content.ts'
import type { InvoiceDocument } from '../documents/read-document.ts'
import type { BookkeepingExport } from '../exports/export-bookkeeping.ts'
import type { TaxExchange } from '../model/exchange.ts'
import type { InvoiceLine, NoteSettlement } from '../model/invoice.ts'
import { type AnyInvoice, type DraftInvoice, type InvoiceContent, isDraft } from '../model/draft-invoice.ts'
import type { InvoiceRequest } from '../model/invoice-requests.ts'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import type { PreviewedReissue, Reissued } from '../reissue/reissue-invoice.ts'
import type { InvoiceView } from '../issue/read-invoices.ts'
import type { IssuedNote } from '../notes/create-credit-note.ts'
import type { CurrencyTotals, InvoicePage, ListedInvoice } from '../storage/invoice-list.repository.ts'
import type {
  AnyInvoiceData,
  CreditNoteData,
  CreditNoteEventData,
  DraftData,
  DraftSchema,
  InvoiceData,
  InvoicePreviewData,
  InvoiceSchema,
  InvoicesPage,
  InvoiceTotalsData,
  PreviewedReissueData,
} from './schemas.ts'

export function renderDocument({ number, format, content }: InvoiceDocument): StreamedFile {
  return new StreamedFile(
    fileName(number, format),
    [content],
    isDrawn(format) ? 'application/pdf' : 'application/xml',
  )
}

export function renderArchive({ month, content }: MonthArchive): StreamedFile {
  return new StreamedFile(`invoices-${month}.zip`, content, 'application/zip')
}

/** DATEV reads Windows-1252, and files whose name begins with EXTF. */
export function renderExport({ format, records, range, content }: BookkeepingExport): StreamedFile {
  if (format === 'datev') {
    const name = `EXTF_Buchungsstapel_${rangeText(range)}.csv`
    return new StreamedFile(name, content, 'text/csv; charset=windows-1252')
  }
  const name = records === 'documents' ? format : `${format}-${records}`
  return new StreamedFile(`${name}-${rangeText(range)}.csv`, content)
}

export function renderInvoiceData(invoice: InvoiceView): Static<typeof InvoiceData> {
  return { invoice: renderInvoiceView(invoice) }
}

export function renderDraftData(draft: DraftInvoice): Static<typeof DraftData> {
  return { invoice: renderDraft(draft) }
}

export function renderAnyData(invoice: AnyInvoice): Static<typeof AnyInvoiceData> {
  return isDraft(invoice) ? renderDraftData(invoice) : renderInvoiceData(invoice)
}

export function renderReissue({ note, invoice }: Reissued): Static<typeof CreditNoteData> {
  return { credit_note: renderInvoice(note), invoice: renderInvoiceView(invoice) }
}

export function renderPreviewedReissue({
  note,
  invoice,
}: PreviewedReissue): Static<typeof PreviewedReissueData> {
  return { credit_note: renderContent(note), invoice: renderContent(invoice) }
}

export function renderPreviewData(content: InvoiceContent): Static<typeof InvoicePreviewData> {
  return { invoice: renderContent(content) }
}

export function renderTotals(totals: readonly CurrencyTotals[]): Static<typeof InvoiceTotalsData> {
  return {
    totals: totals.map(({ currency, documents, netTotal, taxTotal, total, amountDue }) => ({
      currency,
      documents,
      net_total: netTotal,
      tax_total: taxTotal,
      total,
      amount_due: amountDue,
    })),
  }
}

export function renderCreditNoteData({ note, invoice }: IssuedNote): Static<typeof CreditNoteData> {
  return { credit_note: renderInvoice(note), invoice: renderInvoiceView(invoice) }
}

export function renderEventData(
  document: IssuedInvoice,
): Static<typeof InvoiceData> | Static<typeof CreditNoteEventData> {
  const shown = renderInvoice(document)
  const data = document.type === 'invoice' ? { invoice: shown } : { credit_note: shown }
  return document.isErased ? withoutPerson(data) : data
}

export function renderInvoicesPage(
  request: InvoicePage,
  found: readonly ListedInvoice[],
): Static<typeof InvoicesPage> {
  const { rows, page } = renderPage(
    request,
    found,
    ({ key }) => key,
    ({ invoice }) => renderAnyData(invoice).invoice,
  )
  return { invoices: rows, page }
}

/** With what was paid of it. Events leave that out, because those of its order and transactions have it. */
export function renderInvoiceView(view: InvoiceView): Static<typeof InvoiceSchema> {
  if (view.type !== 'invoice') return renderInvoice(view)
  const { paid } = view
  return {
    ...renderInvoice(view),
    payments:
      paid === undefined ? [] : paid.transactions.filter(isPaid).map((one) => renderPayment(one, paid)),
    overpaid: paid?.overpaid ?? Money.zero(view.currency),
  }
}

function isPaid({ type, state }: Transaction): boolean {
  return (type === 'Sales' || type === 'Capture') && state === 'succeeded'
}

function renderPayment(
  { id, valueDate, paymentMethod, instrument, amount, answer }: Transaction,
  { payers }: NonNullable<InvoiceView['paid']>,
) {
  const payer = payers.get(id)
  return {
    transaction_uuid: id,
    value_date: valueDate,
    method: paymentMethod,
    acquirer_type: instrument.acquirerType,
    amount,
    ...(answer.fee !== undefined && { fee: Money.ofMinor(amount.currency, BigInt(answer.fee)) }),
    reference: answer.gatewayTransactionId || null,
    ...(payer !== undefined && { payer_name: payer }),
  }
}

function renderDraft(draft: DraftInvoice): Static<typeof DraftSchema> {
  return {
    id: draft.id,
    state: draft.state,
    ...renderCommon(draft),
    draft: renderRequest(draft.request),
    created_at: toRfc3339(draft.createdAt),
    updated_at: toRfc3339(draft.updatedAt),
  }
}

function renderInvoice(invoice: IssuedInvoice): Static<typeof InvoiceSchema> {
  return {
    id: invoice.id,
    number: invoice.number,
    order_number: invoice.orderNumber,
    payment_reference: invoice.paymentReference,
    ...renderContent(invoice),
    created_at: toRfc3339(invoice.createdAt),
    updated_at: toRfc3339(invoice.updatedAt),
  }
}

function renderRequest({ metadata, ...request }: InvoiceRequest) {
  const kept = editMetadata(null, metadata, 'invoice.metadata')
  return { ...request, lines: [...request.lines], ...(kept !== null && { metadata: kept }) }
}

function renderContent(invoice: InvoiceContent) {
  return {
    state: invoice.state,
    issue_date: invoice.issueDate,
    due_date: invoice.dueDate,
    ...renderCommon(invoice),
  }
}

function renderCommon(invoice: Omit<InvoiceContent, 'state' | 'issueDate' | 'dueDate'>) {
  const { seller, buyer } = invoice
  return {
    type: invoice.type,
    ...(invoice.planId !== null && { plan_id: invoice.planId }),
    ...(invoice.invoiceId !== null && { invoice_id: invoice.invoiceId }),
    ...(invoice.corrected.length > 0 && {
      invoice_number: invoice.corrected.map(({ number }) => number).join(', '),
    }),
    ...(invoice.replaces !== null && { replaces: invoice.replaces }),
    ...(invoice.replacedBy !== null && { replaced_by: invoice.replacedBy }),
    ...(invoice.note !== null && { reason: invoice.note.reason }),
    ...(invoice.note?.settlement && { settlement: renderSettlement(invoice.note.settlement) }),
    seller: {
      legal_entity_id: seller.legalEntityId,
      name: seller.name,
      address: renderAddress(seller.address),
      tax_ids: [...seller.taxIds],
      bank: seller.bank && { ...bankMembers(seller.bank), bic: seller.bank.bic },
      ...(seller.electronicAddress !== undefined && { electronic_address: seller.electronicAddress }),
      ...(seller.contact !== undefined && { contact: seller.contact }),
      footer: seller.footer,
    },
    buyer: {
      customer_uuid: buyer.customerUuid,
      name: buyer.name,
      email: buyer.email,
      address: buyer.address && renderAddress(buyer.address),
      tax_ids: [...buyer.taxIds],
      ...(buyer.electronicAddress !== undefined && { electronic_address: buyer.electronicAddress }),
      language: buyer.language,
    },
    currency: invoice.currency,
    tax_behavior: invoice.taxBehavior,
    lines: invoice.lines.map(renderLine),
    ...(invoice.exchange !== undefined && renderExchange(invoice.exchange)),
    taxes: invoice.taxes.map(({ name, percentage, treatment, base, amount }, index) => {
      const converted = invoice.exchange?.converted?.groups[index]
      return {
        name,
        percentage: numberOf(percentage),
        treatment,
        base,
        amount,
        ...(converted !== undefined && {
          base_in_tax_currency: converted.base,
          amount_in_tax_currency: converted.amount,
        }),
      }
    }),
    net_total: invoice.netTotal,
    tax_total: invoice.taxTotal,
    total: invoice.total,
    prepaid: invoice.prepaid,
    amount_due: invoice.amountDue,
    credited_total: invoice.creditedTotal,
    ...(invoice.buyerReference !== null && { buyer_reference: invoice.buyerReference }),
    ...(invoice.purchaseOrder !== null && { purchase_order: invoice.purchaseOrder }),
    notes: [...invoice.notes],
    ...(invoice.memo !== null && { memo: invoice.memo }),
    reference_id: invoice.referenceId,
    ...(invoice.metadata !== null && { metadata: invoice.metadata }),
  }
}

function renderExchange({ currency, converted }: TaxExchange) {
  if (converted === null) return { tax_currency: currency, exchange_rate: null, exchange_rate_date: null }
  const { rate, total } = converted
  return {
    tax_currency: currency,
    exchange_rate: numberOf(rate.rate),
    exchange_rate_base: rate.base,
    exchange_rate_date: rate.date,
    tax_total_in_tax_currency: total,
  }
}

function renderSettlement({ due, refunds, credit }: NoteSettlement) {
  return {
    due,
    refunded: sumMoney(
      due.currency,
      refunds.map(({ amount }) => amount),
    ),
    credited: credit,
  }
}

function renderLine(line: InvoiceLine): Static<typeof InvoiceSchema>['lines'][number] {
  return {
    id: line.id,
    ...(line.lineId !== undefined && { line_id: line.lineId }),
    label: line.label,
    quantity: numberOf(line.quantity),
    unit_amount: numberOf(line.unitAmount),
    amount: line.amount,
    discount: line.discount,
    net: line.net,
    tax: line.tax,
    total: line.total,
    ...(line.period !== null && { period: line.period }),
    treatment: line.treatment,
    rates: line.rates.map(({ name, percentage }) => ({ name, percentage: numberOf(percentage) })),
  }
}

function renderAddress({ line1, line2, postalCode, city, region, country }: Address) {
  return { line1, line2, postal_code: postalCode, city, region, country }
}

export function numberOf(value: Decimal): unknown {
  return rawNumber(decimalToString(value))
}

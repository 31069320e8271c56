import { type Instant } from '#kernel/clock'
import { Money } from '#kernel/money'
import { localDateOf, type TimeZone } from '#kernel/time-zone'
import type { NewLineItem } from '#modules/payments'
import type { BillingSettings, OrderTax, TaxBehavior } from '#modules/taxes'
import type { Metadata } from '#platform/http/validation/metadata'
import { overdueAt } from '../model/due-date.ts'
import type { InvoiceContent } from '../model/draft-invoice.ts'
import { exchangeOf, type WantedExchange } from '../model/exchange.ts'
import type { Buyer, CorrectedInvoice, DocumentType, InvoiceLine, Seller } from '../model/invoice.ts'
import type { IssuedInvoice, NoteReason, SequencePlace } from '../model/issued-invoice.ts'
import { type DocumentLines, documentLines, type WrittenQuantity } from './invoice-lines.ts'
import { paymentReferenceOf } from './payment-reference.ts'

/**
 * An order that is about to be made for a legal entity.
 * - `total`: What the order asks for.
 * - `documentId`: Of a draft that is issued.
 * - `written`: By the place of the order's line.
 * - `isPaid`: The order was made and paid before.
 */
export interface OrderToInvoice {
  readonly orderId: string
  readonly planId: string | null
  readonly customerUuid: string
  readonly lines: readonly NewLineItem[]
  readonly total: Money
  readonly tax: OrderTax | null
  readonly legalEntityId: string
  readonly series: string | null
  readonly collection: BillingSettings['collection']
  readonly daysUntilDue: number
  readonly buyerReference?: string | null
  readonly purchaseOrder?: string | null
  readonly documentId?: string
  readonly written?: ReadonlyMap<number, WrittenQuantity>
  readonly memo?: string | null
  readonly referenceId?: string | null
  readonly metadata?: Metadata
  readonly isPaid?: boolean
  readonly at: Instant
}

export interface Document extends DocumentLines {
  readonly type: DocumentType
}

export function documentOf({
  lines,
  tax,
  total,
  written,
}: Pick<OrderToInvoice, 'lines' | 'tax' | 'total' | 'written'>): Document | null {
  const document = documentLines(total.currency, lines, behaviorOf(tax), written)
  if (document.lines.every((line) => line.amount.isZero())) return null
  return document.total.isNegative()
    ? { type: 'credit_note', ...negated(document) }
    : { type: 'invoice', ...document }
}

function behaviorOf(tax: OrderTax | null): TaxBehavior {
  return tax?.behavior ?? 'exclusive'
}

function negated({ lines, netTotal, taxTotal, total }: DocumentLines): DocumentLines {
  return {
    lines: lines.map(negatedLine),
    netTotal: netTotal.negated(),
    taxTotal: taxTotal.negated(),
    total: total.negated(),
    prepaid: Money.zero(total.currency),
  }
}

function negatedLine(line: InvoiceLine): InvoiceLine {
  return {
    ...line,
    quantity: { ...line.quantity, unscaled: -line.quantity.unscaled },
    amount: line.amount.negated(),
    discount: line.discount.negated(),
    net: line.net.negated(),
    tax: line.tax.negated(),
    total: line.total.negated(),
  }
}

export interface Numbered extends SequencePlace {
  readonly id: string
  readonly number: string
  readonly at: Instant
}

export interface Parties {
  readonly seller: Seller
  readonly buyer: Buyer
  readonly exemptReason: string | null
}

/**
 * What a document says besides what its order bills.
 * - `corrected`: The invoices that a credit note corrects.
 * - `exchange`: The rate that the document needs; undefined if it needs none.
 */
interface IssueGround {
  readonly parties: Parties
  readonly zone: TimeZone
  readonly corrected: readonly CorrectedInvoice[]
  readonly exchange: WantedExchange | undefined
}

export function decideInvoice(
  order: OrderToInvoice,
  document: Document,
  { id, number, at, ...place }: Numbered,
  ground: IssueGround,
): IssuedInvoice {
  return {
    id,
    number,
    ...place,
    orderNumber: order.orderId,
    ...decideContent(order, document, at, ground),
    paymentReference: paymentReferenceOf(id),
    isErased: false,
    createdAt: at,
    updatedAt: at,
  }
}

/** @param at the time of the issue */
export function decideContent(
  order: Omit<OrderToInvoice, 'orderId' | 'at'>,
  { type, lines, netTotal, taxTotal, total, prepaid }: Document,
  at: Instant,
  { parties: { seller, buyer, exemptReason }, zone, corrected, exchange }: IssueGround,
): InvoiceContent {
  const none = Money.zero(total.currency)
  const issueDate = localDateOf(at, zone)
  const isSent = type === 'invoice' && order.collection === 'send_invoice'
  const dueDate = isSent ? issueDate.add({ days: order.daysUntilDue }) : issueDate
  const taxes = taxesOf(order, type)
  const isOpen = type === 'invoice' && order.total.isPositive() && order.isPaid !== true
  return {
    type,
    state: isOpen ? 'open' : 'paid',
    planId: order.planId,
    invoiceId: null,
    replaces: null,
    replacedBy: null,
    corrected,
    seller,
    buyer,
    issueDate: issueDate.toString(),
    dueDate: dueDate.toString(),
    currency: total.currency,
    taxBehavior: behaviorOf(order.tax),
    lines,
    taxes,
    exchange: exchangeOf(taxes, exchange),
    netTotal,
    taxTotal,
    total,
    prepaid,
    amountDue: isOpen ? order.total : none,
    creditedTotal: none,
    buyerReference: order.buyerReference ?? null,
    purchaseOrder: order.purchaseOrder ?? null,
    notes: notesOf(lines, exemptReason),
    memo: order.memo ?? null,
    note: type === 'invoice' ? null : noteOfChange(total),
    overdueAt: isSent && isOpen ? overdueAt(dueDate, zone) : null,
    referenceId: order.referenceId ?? null,
    metadata: order.metadata ?? null,
  }
}

export const CHANGE_REASON = 'Change of the plan'

/** A change whose lines sum below zero adds to the plan's credit. */
function noteOfChange(total: Money): NoteReason {
  const none = Money.zero(total.currency)
  return {
    cause: 'change',
    reason: CHANGE_REASON,
    settlement: { due: none, refunds: [], credit: total },
    unsettled: none,
    refundIds: [],
  }
}

function taxesOf({ tax }: Pick<OrderToInvoice, 'tax'>, type: DocumentType): IssuedInvoice['taxes'] {
  const groups = tax?.groups ?? []
  if (type === 'invoice') return groups
  return groups.map((group) => ({ ...group, base: group.base.negated(), amount: group.amount.negated() }))
}

export function notesOf(lines: readonly InvoiceLine[], exemptReason: string | null): string[] {
  const treatments = new Set(lines.map(({ treatment }) => treatment))
  return [
    ...(treatments.has('reverse_charge') ? ['Reverse charge'] : []),
    ...(treatments.has('exempt') && exemptReason !== null ? [exemptReason] : []),
  ]
}

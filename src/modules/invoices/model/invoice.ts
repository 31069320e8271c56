import type { Instant } from '#kernel/clock'
import type { Decimal } from '#kernel/decimal'
import type { Money } from '#kernel/money'
import type {
  Address,
  BankAccount,
  ElectronicAddress,
  NamedRate,
  SellerContact,
  TaxBehavior,
  TaxGroup,
  TaxId,
  Treatment,
} from '#modules/taxes'
import type { TaxExchange } from './exchange.ts'

export type DocumentType = 'invoice' | 'credit_note'

export type InvoiceState = 'open' | 'paid' | 'credited' | 'uncollectible'

/** The legal entity as it was when the document was issued. */
export interface Seller {
  readonly legalEntityId: string
  readonly name: string
  readonly address: Address
  readonly taxIds: readonly TaxId[]
  readonly bank: BankAccount | null
  readonly electronicAddress?: ElectronicAddress
  readonly contact?: SellerContact
  readonly footer: string | null
}

/** The customer as it was when the document was issued. */
export interface Buyer {
  readonly customerUuid: string
  readonly name: string
  readonly email: string | null
  readonly address: Address | null
  readonly taxIds: readonly TaxId[]
  readonly electronicAddress?: ElectronicAddress
  readonly language: string | null
}

/**
 * What a line bills or takes back of an item that a plan changed within a period.
 * - `discount`: What the line's price already leaves out.
 */
export interface LineChange {
  readonly kind: 'unused' | 'remaining'
  readonly units: number
  readonly discount?: Money
}

/**
 * - `unitAmount`: Never negative; a credit has a negative quantity instead.
 * - `amount`: quantity × unitAmount, rounded once; `net` is this amount less discounts and included tax.
 * - `total`: `net` + `tax`.
 * - `lineId`: The line of the invoice that a credit note's line lowers.
 */
export interface InvoiceLine {
  readonly id: string
  readonly label: string
  readonly quantity: Decimal
  readonly unitAmount: Decimal
  readonly amount: Money
  readonly discount: Money
  readonly net: Money
  readonly tax: Money
  readonly total: Money
  readonly period: { readonly start: string; readonly end: string } | null
  readonly change?: LineChange
  readonly treatment: Treatment
  readonly rates: readonly NamedRate[]
  readonly lineId?: string
}

/** - `reissue`: The invoice is replaced by another one (reference/billing-invoices#correction). */
export type NoteCause = 'request' | 'refund' | 'change' | 'void' | 'reissue'

/** Of a note that a reissue without a reason issues. */
export const REISSUE_REASON = 'Correction'

/**
 * Where a credit note's amount went when the note was issued. The difference to the amount was not given back.
 * - `due`: It lowered what was to be paid.
 * - `credit`: It was added to the plan's credit.
 */
export interface NoteSettlement {
  readonly due: Money
  readonly refunds: readonly NoteRefund[]
  readonly credit: Money
}

/** - `last4`: Of the card that was refunded. */
export interface NoteRefund {
  readonly amount: Money
  readonly last4: string | null
}

/** - `settlement`: Null in notes that were issued before it was kept. */
export interface ShownReason {
  readonly cause: NoteCause
  readonly reason: string
  readonly settlement: NoteSettlement | null
}

/** - `issueDate`: Null in notes that were issued before it was kept. */
export interface CorrectedInvoice {
  readonly number: string
  readonly issueDate: string | null
}

/**
 * An invoice or a credit note: a copy of which only `state`, `amountDue` and `creditedTotal` change. All amounts of a credit
 * note are positive.
 * - `invoiceId`: The invoice that a credit note lowers.
 * - `replaces`, `replacedBy`: The ids of a corrected invoice and of the one that was issued in its place.
 * - `corrected`: That invoice, or those from which a change of a plan took something back.
 * - `note`: Why a credit note was issued.
 * - `issueDate`, `dueDate`: Local dates (YYYY-MM-DD).
 * - `paymentReference`: ISO 11649.
 * - `buyerReference`, `purchaseOrder`: What the buyer finds its order by (BT-10, BT-13).
 * - `memo`: Printed as it was written; null for none.
 * - `prepaid`: What credit and balances had paid at the issue.
 * - `exchange`: Only of taxed documents in another currency than the one in which their seller reports tax.
 */
export interface Invoice {
  readonly id: string
  readonly type: DocumentType
  readonly number: string
  readonly state: InvoiceState
  readonly orderNumber: string
  readonly planId: string | null
  readonly invoiceId: string | null
  readonly replaces: string | null
  readonly replacedBy: string | null
  readonly corrected: readonly CorrectedInvoice[]
  readonly note?: ShownReason | null
  readonly seller: Seller
  readonly buyer: Buyer
  readonly issueDate: string
  readonly dueDate: string
  readonly currency: string
  readonly taxBehavior: TaxBehavior
  readonly lines: readonly InvoiceLine[]
  readonly taxes: readonly TaxGroup[]
  readonly exchange?: TaxExchange | undefined
  readonly netTotal: Money
  readonly taxTotal: Money
  readonly total: Money
  readonly prepaid: Money
  readonly amountDue: Money
  readonly creditedTotal: Money
  readonly paymentReference: string
  readonly buyerReference: string | null
  readonly purchaseOrder: string | null
  readonly notes: readonly string[]
  readonly memo: string | null
  readonly createdAt: Instant
}

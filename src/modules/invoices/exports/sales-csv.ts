import type { Money } from '#kernel/money'
import type { BookkeepingAccounts } from '#modules/taxes'
import type { IssuedInvoice } from '../model/issued-invoice.ts'
import { signed } from '../model/signed.ts'
import { accountOf, rateGroupsOf } from './decide-bookings.ts'

/** A line of a document with the accounts of its rate. Amounts of credit notes are negative. */
interface SalesLine {
  readonly document: IssuedInvoice
  readonly label: string
  readonly net: Money
  readonly tax: Money
  readonly account: string
  readonly taxCode: string
}

type Columns = readonly (readonly [name: string, value: (line: SalesLine) => string])[]

const none = () => ''

/** The template of Xero's import of sales invoices. Negative amounts make a credit note. */
export const XERO: Columns = [
  ['*ContactName', ({ document }) => document.buyer.name],
  ['EmailAddress', ({ document }) => document.buyer.email ?? ''],
  ['POAddressLine1', ({ document }) => document.buyer.address?.line1 ?? ''],
  ['POAddressLine2', ({ document }) => document.buyer.address?.line2 ?? ''],
  ['POAddressLine3', none],
  ['POAddressLine4', none],
  ['POCity', ({ document }) => document.buyer.address?.city ?? ''],
  ['PORegion', ({ document }) => document.buyer.address?.region ?? ''],
  ['POPostalCode', ({ document }) => document.buyer.address?.postalCode ?? ''],
  ['POCountry', ({ document }) => document.buyer.address?.country ?? ''],
  ['*InvoiceNumber', ({ document }) => document.number],
  ['Reference', ({ document }) => referenceOf(document)],
  ['*InvoiceDate', ({ document }) => dayFirst(document.issueDate)],
  ['*DueDate', ({ document }) => dayFirst(document.dueDate)],
  ['Total', ({ document }) => signed(document, document.total).toString()],
  ['InventoryItemCode', none],
  ['*Description', ({ label }) => label],
  ['*Quantity', () => '1'],
  ['*UnitAmount', ({ net }) => net.toString()],
  ['Discount', none],
  ['*AccountCode', ({ account }) => account],
  ['*TaxType', ({ taxCode }) => taxCode],
  ['TaxAmount', ({ tax }) => tax.toString()],
  ['TrackingName1', none],
  ['TrackingOption1', none],
  ['TrackingName2', none],
  ['TrackingOption2', none],
  ['Currency', ({ document }) => document.currency],
  ['BrandingTheme', none],
]

/** The columns of QuickBooks Online's import of invoices. The account names the product or service. */
export const QUICKBOOKS: Columns = [
  ['*InvoiceNo', ({ document }) => document.number],
  ['*Customer', ({ document }) => document.buyer.name],
  ['*InvoiceDate', ({ document }) => dayFirst(document.issueDate)],
  ['*DueDate', ({ document }) => dayFirst(document.dueDate)],
  ['Terms', none],
  ['Location', none],
  ['Memo', ({ document }) => referenceOf(document)],
  ['Item(Product/Service)', ({ account }) => account],
  ['ItemDescription', ({ label }) => label],
  ['ItemQuantity', () => '1'],
  ['ItemRate', ({ net }) => net.toString()],
  ['*ItemAmount', ({ net }) => net.toString()],
  ['*ItemTaxCode', ({ taxCode }) => taxCode],
  ['ItemTaxAmount', ({ tax }) => tax.toString()],
  ['Currency', ({ document }) => document.currency],
]

export function salesLinesOf(document: IssuedInvoice, accounts: BookkeepingAccounts): SalesLine[] {
  return rateGroupsOf(document).flatMap((group) =>
    group.lines.map((line) => ({
      document,
      label: line.label,
      net: signed(document, line.net),
      tax: signed(document, line.tax),
      account: accountOf(accounts.revenue, group)?.account ?? '',
      taxCode: accountOf(accounts.tax, group)?.account ?? '',
    })),
  )
}

/** QuickBooks has room for 21 characters of a number. */
const MAX_NUMBER = 21

/** Why QuickBooks would not import a document, or undefined. */
export function quickbooksProblem({ number }: IssuedInvoice): string | undefined {
  return [...number].length > MAX_NUMBER
    ? `QuickBooks takes numbers of at most ${MAX_NUMBER} characters, and ${number} is longer.`
    : undefined
}

/** The payment reference, or the invoice that a credit note corrects. */
function referenceOf({ corrected, paymentReference }: IssuedInvoice): string {
  return corrected.at(0)?.number ?? paymentReference
}

/** DD/MM/YYYY. */
export function dayFirst(date: string): string {
  return `${date.slice(8, 10)}/${date.slice(5, 7)}/${date.slice(0, 4)}`
}

import type { Money } from '#kernel/money'
import type { OrderMoney } from '#modules/payments'
import type { BookkeepingAccounts } from '#modules/taxes'
import type { InvoiceOfOrder } from '../storage/open-invoice.repository.ts'
import { contraKind, moneyKind } from './decide-bookings.ts'
import { dayFirst } from './sales-csv.ts'

/** What was paid, refunded or disputed for an invoice; what left the bank is negative. */
export interface Movement {
  readonly money: OrderMoney
  readonly invoice: InvoiceOfOrder
}

interface StatementLine extends Movement {
  readonly amount: Money
  readonly description: string
  readonly account: string
}

type Columns<Line> = readonly (readonly [name: string, value: (line: Line) => string])[]

/**
 * The columns of Xero's import of bank statements, with the account of its precoded form. Only fees and disputes have one, because Xero
 * matches payments with their invoices itself.
 */
export const XERO_STATEMENT: Columns<StatementLine> = [
  ['*Date', ({ money }) => dayFirst(money.date)],
  ['*Amount', ({ amount }) => amount.toString()],
  ['Payee', ({ invoice }) => invoice.buyerName],
  ['Description', ({ description }) => description],
  ['Reference', ({ invoice }) => invoice.number],
  ['Transaction Type', ({ amount }) => (amount.isNegative() ? 'Debit' : 'Credit')],
  ['Account Code', ({ account }) => account],
  ['Currency', ({ amount }) => amount.currency],
]

/** A fee is a line of its own: Xero matches what the customer paid with the whole invoice. */
export function statementLinesOf(movement: Movement, accounts: BookkeepingAccounts): StatementLine[] {
  const { amount, fee, type } = movement.money
  const account = type === 'Dispute' ? (accounts.disputes ?? '') : ''
  const moved = { ...movement, amount, description: descriptionOf(movement.money), account }
  if (fee.isZero()) return [moved]
  return [moved, { ...movement, amount: fee.negated(), description: 'Fee', account: accounts.fees ?? '' }]
}

function descriptionOf({ type, amount }: OrderMoney): string {
  if (type === 'Dispute') return amount.isNegative() ? 'Dispute' : 'Dispute reversal'
  return type === 'Refund' || type === 'Return' ? type : 'Payment'
}

/** - `amount`: A debit; a credit is negative. */
interface JournalLine extends Movement {
  readonly account: string
  readonly amount: Money
}

/** The columns of QuickBooks Online's import of journal entries. Lines of receivables name their customer. */
export const QUICKBOOKS_JOURNAL: Columns<JournalLine> = [
  ['*JournalNo', ({ money }) => journalNumber(money)],
  ['*JournalDate', ({ money }) => dayFirst(money.date)],
  ['*AccountName', ({ account }) => account],
  ['*Debits', ({ amount }) => (amount.isPositive() ? amount.toString() : '')],
  ['*Credits', ({ amount }) => (amount.isNegative() ? amount.abs().toString() : '')],
  ['Description', ({ invoice }) => invoice.number],
  ['Name', ({ invoice }) => invoice.buyerName],
  ['Currency', ({ amount }) => amount.currency],
]

/** Bank or cash and the fee against receivables or disputes. */
export function journalLinesOf(movement: Movement, accounts: BookkeepingAccounts): JournalLine[] {
  const { amount, fee, paymentMethod } = movement.money
  const lines = [
    { ...movement, account: accounts[moneyKind(paymentMethod)] ?? '', amount: amount.minus(fee) },
    { ...movement, account: accounts.fees ?? '', amount: fee },
    { ...movement, account: accounts[contraKind(movement.money)] ?? '', amount: amount.negated() },
  ]
  return lines.filter((line) => !line.amount.isZero())
}

/** QuickBooks has room for 21 characters; the end of an id is what makes it unique. */
const MAX_JOURNAL_NUMBER = 21

function journalNumber({ id: movedId, type }: OrderMoney): string {
  const id = movedId.replaceAll(/[^0-9A-Za-z]/g, '').slice(1 - MAX_JOURNAL_NUMBER)
  return type === 'Return' ? `${id}R` : id
}

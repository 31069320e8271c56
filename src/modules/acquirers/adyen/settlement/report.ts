import type { Instant } from '#kernel/clock'
import { type Currency, isCurrency } from '#kernel/currencies'
import { Money, parseMoney } from '#kernel/money'
import type { BalanceEntry } from '../../port/settlement.ts'
import { CsvError, readRow } from './csv.ts'

export interface Report {
  readonly name: string
  readonly at: Instant
  readonly text: string
}

export interface ReportLine {
  readonly entry: BalanceEntry
  readonly next: number
}

type Column =
  | 'Psp Reference'
  | 'Type'
  | 'Modification Reference'
  | 'Gross Currency'
  | 'Gross Debit (GC)'
  | 'Gross Credit (GC)'
  | 'Net Currency'
  | 'Net Debit (NC)'
  | 'Net Credit (NC)'
  | 'Commission (NC)'
  | 'Markup (NC)'
  | 'Scheme Fees (NC)'
  | 'Interchange (NC)'
type Cells = (column: Column) => string

const FEES = ['Commission (NC)', 'Markup (NC)', 'Scheme Fees (NC)', 'Interchange (NC)'] as const
const REQUIRED: readonly Column[] = [
  'Psp Reference',
  'Type',
  'Net Currency',
  'Net Debit (NC)',
  'Net Credit (NC)',
]

const TYPES: Readonly<Record<string, BalanceEntry['type']>> = {
  Settled: 'payment',
  SettledReversed: 'payment',
  Refunded: 'refund',
  RefundedReversed: 'refund',
  Chargeback: 'dispute',
  SecondChargeback: 'dispute',
  ChargebackReversed: 'dispute',
  Fee: 'fee',
  MiscCosts: 'fee',
  PaymentCost: 'fee',
  InvoiceDeduction: 'fee',
  MerchantPayout: 'payout',
}

export function* linesFrom(report: Report, offset: number): Generator<ReportLine> {
  const header = readRow(report.text, report.text.startsWith('\uFEFF') ? 1 : 0)
  if (header === null) throw new CsvError('the report is empty')
  const places = new Map(header.cells.map((name, place) => [name.trim(), place]))
  const missing = REQUIRED.find((column) => !places.has(column))
  if (missing !== undefined) throw new CsvError(`the report has no column ${missing}`)
  for (let at = offset === 0 ? header.next : offset; ;) {
    const row = readRow(report.text, at)
    if (row === null) return
    const id = `${report.name}:${at}`
    at = row.next
    if (row.cells.length < places.size) continue
    const cells: Cells = (column) => row.cells[places.get(column) ?? -1] ?? ''
    yield { entry: entryOf(report, id, cells), next: at }
  }
}

function entryOf({ at }: Report, id: string, cells: Cells): BalanceEntry {
  const acquirerType = cells('Type')
  const type = TYPES[acquirerType] ?? 'other'
  const currency = currencyOf(cells('Net Currency'), id)
  const amount = (text: string): bigint => amountOf(currency, text, id).minor
  const net = amount(cells('Net Credit (NC)')) - amount(cells('Net Debit (NC)'))
  const fee = FEES.reduce((sum, column) => sum + amount(cells(column)), 0n)
  return {
    id,
    type,
    acquirerType,
    reference: referenceOf(type, cells),
    currency,
    grossMinor: net + fee,
    feeMinor: fee,
    netMinor: net,
    paid: paidOf(currency, id, cells),
    createdAt: at,
    availableAt: at,
  }
}

function referenceOf(type: BalanceEntry['type'], cells: Cells): string | null {
  if (type === 'fee' || type === 'payout') return null
  const own = type === 'refund' || type === 'dispute' ? cells('Modification Reference') : ''
  const reference = own === '' ? cells('Psp Reference') : own
  return reference === '' ? null : reference
}

function paidOf(settled: Currency, id: string, cells: Cells): BalanceEntry['paid'] {
  const code = cells('Gross Currency')
  if (code === '' || code === settled) return null
  const currency = currencyOf(code, id)
  const credit = amountOf(currency, cells('Gross Credit (GC)'), id)
  const debit = amountOf(currency, cells('Gross Debit (GC)'), id)
  return { currency, amountMinor: credit.minus(debit).minor }
}

function currencyOf(code: string, id: string): Currency {
  if (isCurrency(code)) return code
  throw new CsvError(`the line ${id} has no currency`)
}

function amountOf(currency: Currency, text: string, id: string): Money {
  if (text === '') return Money.zero(currency)
  const amount = parseMoney(currency, text)
  if (amount instanceof Money) return amount
  throw new CsvError(`an amount of the line ${id} ${amount.message}`)
}

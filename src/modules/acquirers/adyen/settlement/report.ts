import type { Instant } from '#kernel/clock'
import { type Currency, isCurrency } from '#kernel/currencies'
import { Money, parseMoney } from '#kernel/money'
import type { BalanceEntry } from '../../port/settlement.ts'
import { CsvError, readRow } from '#kernel/csv'

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
  const line = { id, type, reference: referenceOf(type, cells), currency, createdAt: at, availableAt: at }
  const amounts = amountsOf(currency, id, cells)
  if (amounts !== null) return { ...line, acquirerType, ...amounts }
  // With amounts of 0 the line differs from every transaction, so somebody looks at it, and the others are compared.
  const unread = { grossMinor: 0n, feeMinor: 0n, netMinor: 0n, paid: null }
  return { ...line, acquirerType: `${acquirerType}, unreadable amount`, ...unread }
}

type Amounts = Pick<BalanceEntry, 'grossMinor' | 'feeMinor' | 'netMinor' | 'paid'>

function amountsOf(currency: Currency, id: string, cells: Cells): Amounts | null {
  const [credit, debit, ...fees] = (['Net Credit (NC)', 'Net Debit (NC)', ...FEES] as const).map((column) =>
    amountOf(currency, cells(column)),
  )
  const paid = paidOf(currency, id, cells)
  if (credit == null || debit == null || paid === undefined) return null
  let fee = Money.zero(currency)
  for (const each of fees) {
    if (each === null) return null
    fee = fee.plus(each)
  }
  const net = credit.minus(debit)
  return { grossMinor: net.plus(fee).minor, feeMinor: fee.minor, netMinor: net.minor, paid }
}

function referenceOf(type: BalanceEntry['type'], cells: Cells): string | null {
  if (type === 'fee' || type === 'payout') return null
  const own = type === 'refund' || type === 'dispute' ? cells('Modification Reference') : ''
  const reference = own === '' ? cells('Psp Reference') : own
  return reference === '' ? null : reference
}

function paidOf(settled: Currency, id: string, cells: Cells): BalanceEntry['paid'] | undefined {
  const code = cells('Gross Currency')
  if (code === '' || code === settled) return null
  const currency = currencyOf(code, id)
  const credit = amountOf(currency, cells('Gross Credit (GC)'))
  const debit = amountOf(currency, cells('Gross Debit (GC)'))
  if (credit === null || debit === null) return undefined
  return { currency, amountMinor: credit.minus(debit).minor }
}

function currencyOf(code: string, id: string): Currency {
  if (isCurrency(code)) return code
  throw new CsvError(`the line ${id} has no currency`)
}

function amountOf(currency: Currency, text: string): Money | null {
  if (text === '') return Money.zero(currency)
  const amount = parseMoney(currency, text)
  return amount instanceof Money ? amount : null
}

import { type Amount, decimal } from './amounts.ts'
import { type Desk, newPspReference } from './desk.ts'
import type { Batch, JournalLine, Model } from './model.ts'
import { notifyReport } from './notices.ts'

/** The standard columns of Adyen's settlement details report. */
const COLUMNS = [
  'Company Account',
  'Merchant Account',
  'Psp Reference',
  'Merchant Reference',
  'Payment Method',
  'Creation Date',
  'TimeZone',
  'Type',
  'Modification Reference',
  'Gross Currency',
  'Gross Debit (GC)',
  'Gross Credit (GC)',
  'Exchange Rate',
  'Net Currency',
  'Net Debit (NC)',
  'Net Credit (NC)',
  'Commission (NC)',
  'Markup (NC)',
  'Scheme Fees (NC)',
  'Interchange (NC)',
  'Payment Method Variant',
  'Modification Merchant Reference',
  'Batch Number',
  'Reserved4',
  'Reserved5',
  'Reserved6',
  'Reserved7',
  'Reserved8',
  'Reserved9',
  'Reserved10',
  'Booking Date',
  'Booking Date TimeZone',
] as const
type Column = (typeof COLUMNS)[number]

/** Of a payment, in basis points; Adyen's interchange++ prices have these three parts. */
const MARKUP_BP = 60
const SCHEME_FEES_BP = 12
const INTERCHANGE_BP = 20
/** The monthly invoice's share of a batch, in minor units. */
const BATCH_FEE = 10

/** Closes a batch of unpaid lines for each currency, and announces its report. */
export function settle(desk: Desk, merchantAccount: string, origin: string): readonly Batch[] {
  const lines = desk.model.journal.filter((line) => line.merchantAccount === merchantAccount)
  const currencies = [...Map.groupBy(lines, ({ amount }) => amount.currency)]
  return currencies.map(([currency, settled]) => {
    const number = desk.model.batches.filter((batch) => batch.merchantAccount === merchantAccount).length + 1
    const fileName = `settlement_detail_report_batch_${number}.csv`
    const fee = feeLine(desk, merchantAccount, number, currency)
    const net = settled.reduce((sum, line) => sum + netOf(line), -BATCH_FEE)
    const payout = payoutLine(desk, merchantAccount, number, { currency, value: -net })
    const batch: Batch = { merchantAccount, number, fileName, lines: [...settled, fee, payout] }
    desk.push({ type: 'batch', batch })
    notifyReport(desk, {
      merchantAccount,
      fileName,
      currency,
      url: `${origin}/reports/download/MerchantAccount/${encodeURIComponent(merchantAccount)}/${fileName}`,
    })
    return batch
  })
}

function feeLine(desk: Desk, merchantAccount: string, number: number, currency: string): JournalLine {
  return {
    type: 'Fee',
    merchantAccount,
    payment: null,
    modificationPsp: `Transaction Fees batch ${number}`,
    modificationReference: '',
    amount: { currency, value: -BATCH_FEE },
    atMs: desk.nowMs,
  }
}

function payoutLine(desk: Desk, merchantAccount: string, number: number, amount: Amount): JournalLine {
  return {
    type: 'MerchantPayout',
    merchantAccount,
    payment: null,
    modificationPsp: `TX${newPspReference()}XT batch ${number}, ${merchantAccount}`,
    modificationReference: '',
    amount,
    atMs: desk.nowMs,
  }
}

interface Fees {
  readonly markup: number
  readonly schemeFees: number
  readonly interchange: number
}

function feesOf({ type, amount: { value } }: JournalLine): Fees {
  const share = (basisPoints: number): number =>
    type === 'Settled' ? Math.round((value * basisPoints) / 10_000) : 0
  return {
    markup: share(MARKUP_BP),
    schemeFees: share(SCHEME_FEES_BP),
    interchange: share(INTERCHANGE_BP),
  }
}

function netOf(line: JournalLine): number {
  const { markup, schemeFees, interchange } = feesOf(line)
  return line.amount.value - markup - schemeFees - interchange
}

export function reportOf(model: Model, merchantAccount: string, fileName: string): string | null {
  const batch = model.batches.find(
    (each) => each.merchantAccount === merchantAccount && each.fileName === fileName,
  )
  if (batch === undefined) return null
  const rows = batch.lines.map((line) => rowOf(model, batch, line))
  return [COLUMNS.join(','), ...rows].map((row) => `${row}\n`).join('')
}

function rowOf(model: Model, batch: Batch, line: JournalLine): string {
  const payment = line.payment === null ? null : model.payment(line.payment)
  const { currency, value } = line.amount
  const at = new Date(line.atMs).toISOString().slice(0, 19).replace('T', ' ')
  const isPayment = payment !== null
  const net = netOf(line)
  const fees = feesOf(line)
  const write = (minor: number): string => decimal({ currency, value: minor })
  const fee = (minor: number): string => (line.type === 'Settled' ? write(minor) : '')
  const cells: Partial<Record<Column, string>> = {
    'Company Account': 'TwinCompany',
    'Merchant Account': line.merchantAccount,
    'Psp Reference': payment?.psp ?? '',
    'Merchant Reference': payment?.reference ?? '',
    'Payment Method': payment?.card.brand ?? '',
    'Creation Date': at,
    TimeZone: 'UTC',
    Type: line.type,
    'Modification Reference': line.modificationPsp,
    'Gross Currency': isPayment ? currency : '',
    'Gross Debit (GC)': isPayment && value < 0 ? write(-value) : '',
    'Gross Credit (GC)': isPayment && value > 0 ? write(value) : '',
    'Exchange Rate': isPayment ? '1' : '',
    'Net Currency': currency,
    'Net Debit (NC)': net < 0 ? write(-net) : '',
    'Net Credit (NC)': net > 0 ? write(net) : '',
    'Markup (NC)': fee(fees.markup),
    'Scheme Fees (NC)': fee(fees.schemeFees),
    'Interchange (NC)': fee(fees.interchange),
    'Payment Method Variant': payment?.card.brand ?? '',
    'Modification Merchant Reference': line.modificationReference,
    'Batch Number': String(batch.number),
    'Booking Date': at,
    'Booking Date TimeZone': 'UTC',
  }
  return COLUMNS.map((column) => quoted(cells[column] ?? '')).join(',')
}

function quoted(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

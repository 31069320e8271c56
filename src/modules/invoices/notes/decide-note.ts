import { decimal } from '#kernel/decimal'
import { Money, sumMoney } from '#kernel/money'
import { localDateOf, type TimeZone } from '#kernel/time-zone'
import type { TaxGroup } from '#modules/taxes'
import type { Metadata } from '#platform/http/validation/metadata'
import type { Numbered } from '../issue/decide-document.ts'
import { exchangeOf, type TakenBefore, type TaxExchange, type WantedExchange } from '../model/exchange.ts'
import type { InvoiceLine } from '../model/invoice.ts'
import type { IssuedInvoice, NoteReason } from '../model/issued-invoice.ts'
import { percentageAtScale, placesIn } from '../model/tax-parts.ts'
import { type CreditableLine, type CreditedLine, creditLines, type LineAmount } from './credit-lines.ts'

export function creditableLines(
  { currency, lines }: IssuedInvoice,
  notes: readonly IssuedInvoice[],
): CreditableLine[] {
  const byLine = Map.groupBy(
    notes.flatMap((note) => note.lines),
    ({ lineId }) => lineId,
  )
  return lines.map(({ id, total, tax }) => {
    const credited = byLine.get(id) ?? []
    return {
      id,
      total,
      tax,
      credited: sumMoney(
        currency,
        credited.map((line) => line.total),
      ),
      creditedTax: sumMoney(
        currency,
        credited.map((line) => line.tax),
      ),
    }
  })
}

export interface NoteTerms {
  readonly note: NoteReason
  readonly referenceId?: string | null
  readonly metadata?: Metadata
}

export function decideNote(
  invoice: IssuedInvoice,
  lines: readonly CreditableLine[],
  amounts: readonly LineAmount[],
  { id, number, at, ...place }: Numbered,
  { note, referenceId = null, metadata = null }: NoteTerms,
  zone: TimeZone,
): IssuedInvoice {
  const { currency } = invoice
  const none = Money.zero(currency)
  const credited = creditLines(lines, amounts)
  const noteLines = credited.map((share, index) => noteLine(String(index + 1), invoice, share))
  const sumOf = (part: (line: InvoiceLine) => Money) => sumMoney(currency, noteLines.map(part))
  const date = localDateOf(at, zone).toString()
  const taxes = noteTaxes(invoice, noteLines)
  return {
    id,
    type: 'credit_note',
    number,
    ...place,
    state: 'paid',
    orderNumber: invoice.orderNumber,
    planId: invoice.planId,
    invoiceId: invoice.id,
    replaces: null,
    replacedBy: null,
    corrected: [{ number: invoice.number, issueDate: invoice.issueDate }],
    seller: invoice.seller,
    buyer: invoice.buyer,
    issueDate: date,
    dueDate: date,
    currency,
    taxBehavior: invoice.taxBehavior,
    lines: noteLines,
    taxes,
    exchange: exchangeOf(taxes, wantedOf(invoice.exchange), takenOf(currency, lines)),
    netTotal: sumOf(({ net }) => net),
    taxTotal: sumOf(({ tax }) => tax),
    total: sumOf(({ total }) => total),
    prepaid: none,
    amountDue: none,
    creditedTotal: none,
    paymentReference: invoice.paymentReference,
    buyerReference: invoice.buyerReference,
    purchaseOrder: invoice.purchaseOrder,
    notes: invoice.notes,
    memo: null,
    note,
    overdueAt: null,
    referenceId,
    metadata,
    isErased: invoice.isErased,
    createdAt: at,
    updatedAt: at,
  }
}

/** A note uses the rate of its invoice. */
function wantedOf(exchange: TaxExchange | undefined): WantedExchange | undefined {
  return exchange && { currency: exchange.currency, date: exchange.date, rate: exchange.converted?.rate }
}

function takenOf(currency: string, lines: readonly CreditableLine[]): TakenBefore {
  const total = sumMoney(
    currency,
    lines.map(({ credited }) => credited),
  )
  const tax = sumMoney(
    currency,
    lines.map(({ creditedTax }) => creditedTax),
  )
  return { base: total.minus(tax), tax }
}

const ONE = decimal(1)
const MINUS_ONE = decimal(-1)

function noteLine(id: string, invoice: IssuedInvoice, { lineId, total, tax }: CreditedLine): InvoiceLine {
  const line = invoice.lines.find((candidate) => candidate.id === lineId)
  if (line === undefined) throw new Error(`invoice ${invoice.id} has no line ${lineId}`)
  const net = total.minus(tax)
  if (total.equals(line.total) && tax.equals(line.tax)) return { ...line, id, lineId }
  const amount = invoice.taxBehavior === 'inclusive' ? total : net
  return {
    ...line,
    id,
    lineId,
    quantity: amount.isNegative() ? MINUS_ONE : ONE,
    unitAmount: amount.abs().toDecimal(),
    amount,
    discount: Money.zero(invoice.currency),
    net,
    tax,
    total,
  }
}

function noteTaxes({ currency, taxes }: IssuedInvoice, lines: readonly InvoiceLine[]): TaxGroup[] {
  return taxes.flatMap((group) => {
    const ofGroup = lines.flatMap((line) => placesIn(line, group).map((place) => ({ line, place })))
    if (ofGroup.length === 0) return []
    return [
      {
        ...group,
        base: sumMoney(
          currency,
          ofGroup.map(({ line }) => line.net),
        ),
        amount: sumMoney(
          currency,
          ofGroup.map(({ line, place }) => partOfTax(line, place)),
        ),
      },
    ]
  })
}

function partOfTax({ tax, rates }: InvoiceLine, place: number): Money {
  const whole = sumOfRates(rates)
  if (rates.length <= 1 || whole === 0n) return place === 0 ? tax : Money.zero(tax.currency)
  const until = (count: number) => tax.prorate(sumOfRates(rates.slice(0, count)), whole)
  return until(place + 1).minus(until(place))
}

function sumOfRates(rates: InvoiceLine['rates']): bigint {
  return rates.reduce((sum, { percentage }) => sum + percentageAtScale(percentage), 0n)
}

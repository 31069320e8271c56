import { decimal, decimalToString } from '#kernel/decimal'
import { Money } from '#kernel/money'
import type { TaxBehavior, TaxGroup, Treatment } from '#modules/taxes'
import type { Buyer, CorrectedInvoice, InvoiceLine, NoteSettlement, Seller } from '../model/invoice.ts'
import type { IssuedInvoice, NoteReason } from '../model/issued-invoice.ts'

/** Amounts are text in minor units and decimals text, so that no JSON reader rounds them. */
interface StoredLine {
  id: string
  label: string
  quantity: string
  unit: string
  amount: string
  discount?: string
  net: string
  tax?: string
  period?: InvoiceLine['period']
  treatment: Treatment
  rates?: [name: string, percentage: string][]
  line_id?: string
}

interface StoredGroup {
  name: string
  percentage: string
  treatment: Treatment
  base: string
  amount: string
}

/** - `invoice_dates`: In the order of the numbers. */
export interface StoredCorrected {
  invoice_number?: string
  invoice_numbers?: readonly string[]
  invoice_dates?: readonly (string | null)[]
}

interface StoredCopy extends StoredCorrected {
  seller: Seller
  buyer: Buyer
  behavior: TaxBehavior
  lines: StoredLine[]
  taxes: StoredGroup[]
  notes: string[]
  series_key?: string
}

export type Copy = Pick<
  IssuedInvoice,
  'seller' | 'buyer' | 'taxBehavior' | 'lines' | 'taxes' | 'notes' | 'corrected'
> & { readonly seriesKey: string | undefined }

export function storedCopy(invoice: Copy): string {
  const copy: StoredCopy = {
    seller: invoice.seller,
    buyer: invoice.buyer,
    behavior: invoice.taxBehavior,
    lines: invoice.lines.map(storedLine),
    taxes: invoice.taxes.map(({ name, percentage, treatment, base, amount }) => ({
      name,
      percentage: decimalToString(percentage),
      treatment,
      base: base.minor.toString(),
      amount: amount.minor.toString(),
    })),
    notes: [...invoice.notes],
    ...storedCorrected(invoice),
    ...(invoice.seriesKey !== undefined && { series_key: invoice.seriesKey }),
  }
  return JSON.stringify(copy)
}

export function readCopy(currency: string, text: string): Copy {
  const copy = JSON.parse(text) as StoredCopy
  const money = (minor: string | undefined) => Money.ofMinor(currency, BigInt(minor ?? 0))
  return {
    seller: copy.seller,
    buyer: copy.buyer,
    taxBehavior: copy.behavior,
    lines: copy.lines.map((line) => {
      const [net, tax] = [money(line.net), money(line.tax)]
      return {
        id: line.id,
        label: line.label,
        quantity: decimal(line.quantity),
        unitAmount: decimal(line.unit),
        amount: money(line.amount),
        discount: money(line.discount),
        net,
        tax,
        total: net.plus(tax),
        period: line.period ?? null,
        treatment: line.treatment,
        rates: (line.rates ?? []).map(([name, percentage]) => ({ name, percentage: decimal(percentage) })),
        ...(line.line_id !== undefined && { lineId: line.line_id }),
      }
    }),
    taxes: copy.taxes.map((group): TaxGroup => ({
      name: group.name,
      percentage: decimal(group.percentage),
      treatment: group.treatment,
      base: money(group.base),
      amount: money(group.amount),
    })),
    notes: copy.notes,
    corrected: readCorrected(copy),
    seriesKey: copy.series_key,
  }
}

function storedCorrected({ corrected }: Copy): StoredCorrected {
  const [first] = corrected
  if (first === undefined) return {}
  const numbers = corrected.map(({ number }) => number)
  return {
    ...(numbers.length === 1 ? { invoice_number: first.number } : { invoice_numbers: numbers }),
    invoice_dates: corrected.map(({ issueDate }) => issueDate),
  }
}

export function readCorrected({
  invoice_number: one,
  invoice_numbers: several,
  invoice_dates: dates,
}: StoredCorrected): CorrectedInvoice[] {
  const numbers = several ?? (one === undefined ? [] : [one])
  return numbers.map((number, index) => ({ number, issueDate: dates?.[index] ?? null }))
}

function storedLine(line: InvoiceLine): StoredLine {
  return {
    id: line.id,
    label: line.label,
    quantity: decimalToString(line.quantity),
    unit: decimalToString(line.unitAmount),
    amount: line.amount.minor.toString(),
    ...(!line.discount.isZero() && { discount: line.discount.minor.toString() }),
    net: line.net.minor.toString(),
    ...(!line.tax.isZero() && { tax: line.tax.minor.toString() }),
    ...(line.period !== null && { period: line.period }),
    treatment: line.treatment,
    ...(line.rates.length > 0 && {
      rates: line.rates.map(({ name, percentage }): [string, string] => [name, decimalToString(percentage)]),
    }),
    ...(line.lineId !== undefined && { line_id: line.lineId }),
  }
}

interface StoredReason {
  cause: NoteReason['cause']
  reason: string
  unsettled_minor: string
  refund_ids: string[]
  settlement?: StoredSettlement
}

interface StoredSettlement {
  due?: string
  refunds?: [amount: string, last4: string | null][]
  credit?: string
}

export function storedReason(note: NoteReason | null): string | null {
  if (note === null) return null
  const stored: StoredReason = {
    cause: note.cause,
    reason: note.reason,
    unsettled_minor: note.unsettled.minor.toString(),
    refund_ids: [...note.refundIds],
    ...(note.settlement !== null && { settlement: storedSettlement(note.settlement) }),
  }
  return JSON.stringify(stored)
}

export function readReason(currency: string, text: string | null): NoteReason | null {
  if (text === null) return null
  const stored = JSON.parse(text) as StoredReason
  return {
    cause: stored.cause,
    reason: stored.reason,
    unsettled: Money.ofMinor(currency, BigInt(stored.unsettled_minor)),
    refundIds: stored.refund_ids,
    settlement: stored.settlement === undefined ? null : readSettlement(currency, stored.settlement),
  }
}

function storedSettlement({ due, refunds, credit }: NoteSettlement): StoredSettlement {
  return {
    ...(!due.isZero() && { due: due.minor.toString() }),
    ...(refunds.length > 0 && {
      refunds: refunds.map(({ amount, last4 }): [string, string | null] => [amount.minor.toString(), last4]),
    }),
    ...(!credit.isZero() && { credit: credit.minor.toString() }),
  }
}

function readSettlement(currency: string, { due, refunds, credit }: StoredSettlement): NoteSettlement {
  const money = (minor: string | undefined) => Money.ofMinor(currency, BigInt(minor ?? 0))
  return {
    due: money(due),
    refunds: (refunds ?? []).map(([minor, last4]) => ({ amount: money(minor), last4 })),
    credit: money(credit),
  }
}

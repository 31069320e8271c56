import { decimal, decimalToString } from '#kernel/decimal'
import { Money } from '#kernel/money'
import type { NamedRate, RateOrigin, TaxBehavior, TaxGroup, Treatment } from '#modules/taxes'
import type {
  Buyer,
  CorrectedInvoice,
  InvoiceLine,
  LineChange,
  NoteSettlement,
  Seller,
} from '../model/invoice.ts'
import type { IssuedInvoice, NoteReason } from '../model/issued-invoice.ts'
import type { TaxExchange, WantedExchange } from '../model/exchange.ts'
import { placeOf, type TaxPart, taxPartsOf } from '../model/tax-parts.ts'

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
  change?: StoredChange
  treatment: Treatment
  rates?: (readonly [name: string, percentage: string, origin?: StoredOrigin])[]
  line_id?: string
}

interface StoredChange {
  kind: LineChange['kind']
  units: number
  discount?: string
}

/** A member is stored only if the rate is not of the document's country, of the whole country or of every category. */
interface StoredOrigin {
  country?: string
  region?: string
  category?: string
}

/** The lines of a group whose rates have one origin. Most groups are stored as one. */
interface StoredGroup extends StoredOrigin {
  name: string
  percentage: string
  treatment: Treatment
  base: string
  amount: string
  converted_base?: string
  converted?: string
}

/**
 * - `date`: The day whose rate it needs.
 * - `rate`: Missing until there is one.
 */
export interface StoredExchange {
  currency: string
  date: string
  rate?: { date: string; base: string; quote: string; rate: string }
}

export interface StoredExchanged {
  exchange?: StoredExchange
}

/** - `invoice_dates`: In the order of the numbers. */
export interface StoredCorrected {
  invoice_number?: string
  invoice_numbers?: readonly string[]
  invoice_dates?: readonly (string | null)[]
}

interface StoredCopy extends StoredCorrected, StoredExchanged {
  seller: Seller
  buyer: Buyer
  behavior: TaxBehavior
  lines: StoredLine[]
  taxes: StoredGroup[]
  notes: string[]
  buyer_reference?: string
  purchase_order?: string
  memo?: string
  series_key?: string
}

export type Copy = Pick<
  IssuedInvoice,
  | 'seller'
  | 'buyer'
  | 'taxBehavior'
  | 'lines'
  | 'taxes'
  | 'exchange'
  | 'notes'
  | 'memo'
  | 'corrected'
  | 'buyerReference'
  | 'purchaseOrder'
> & { readonly seriesKey: string | undefined }

export function storedCopy(invoice: Copy & Pick<IssuedInvoice, 'currency'>): string {
  const place = placeOf(invoice)
  const copy: StoredCopy = {
    seller: invoice.seller,
    buyer: invoice.buyer,
    behavior: invoice.taxBehavior,
    lines: invoice.lines.map((line) => storedLine(line, place)),
    taxes: storedTaxes(invoice, place),
    ...(invoice.exchange !== undefined && { exchange: storedExchange(invoice.exchange) }),
    notes: [...invoice.notes],
    ...(invoice.memo !== null && { memo: invoice.memo }),
    ...storedCorrected(invoice),
    ...(invoice.buyerReference !== null && { buyer_reference: invoice.buyerReference }),
    ...(invoice.purchaseOrder !== null && { purchase_order: invoice.purchaseOrder }),
    ...(invoice.seriesKey !== undefined && { series_key: invoice.seriesKey }),
  }
  return JSON.stringify(copy)
}

export function readCopy(currency: string, text: string): Copy {
  const copy = JSON.parse(text) as StoredCopy
  const money = (minor: string | undefined) => Money.ofMinor(currency, BigInt(minor ?? 0))
  const place = placeOf(copy)
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
        ...(line.change !== undefined && { change: readChange(line.change, money) }),
        treatment: line.treatment,
        rates: (line.rates ?? []).map(([name, percentage, origin]): NamedRate => ({
          name,
          percentage: decimal(percentage),
          ...(origin !== undefined && { origin: readOrigin(origin, place) }),
        })),
        ...(line.line_id !== undefined && { lineId: line.line_id }),
      }
    }),
    taxes: readTaxes(copy.taxes, money),
    exchange: readExchange(copy),
    notes: copy.notes,
    buyerReference: copy.buyer_reference ?? null,
    purchaseOrder: copy.purchase_order ?? null,
    memo: copy.memo ?? null,
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

function storedTaxes(document: Copy & Pick<IssuedInvoice, 'currency'>, place: string): StoredGroup[] {
  const parts = Map.groupBy(taxPartsOf(document), ({ group }) => group)
  return document.taxes.flatMap((group) => {
    const byOrigin = Map.groupBy(parts.get(group) ?? [], ({ origin }) =>
      JSON.stringify(storedOrigin(origin, place)),
    )
    const { name, percentage, treatment } = group
    const stored = { name, percentage: decimalToString(percentage), treatment }
    const sums = [...byOrigin.values()].map((ofOrigin) => ({
      ...stored,
      base: sumOf(ofOrigin, ({ net }) => net),
      amount: sumOf(ofOrigin, ({ tax }) => tax),
      ...convertedOf(ofOrigin),
      ...storedOrigin(ofOrigin[0]?.origin, place),
    }))
    const { base, amount } = group
    return sums.length > 0
      ? sums
      : [{ ...stored, base: base.minor.toString(), amount: amount.minor.toString() }]
  })
}

function convertedOf(parts: readonly TaxPart[]): Pick<StoredGroup, 'converted' | 'converted_base'> {
  if (parts.every(({ converted }) => converted === undefined)) return {}
  const sum = (amountOf: (converted: NonNullable<TaxPart['converted']>) => Money) =>
    parts
      .reduce((minor, { converted }) => minor + (converted ? amountOf(converted).minor : 0n), 0n)
      .toString()
  return { converted_base: sum(({ net }) => net), converted: sum(({ tax }) => tax) }
}

function storedExchange({ currency, date, converted }: TaxExchange): StoredExchange {
  if (converted === null) return { currency, date }
  const { rate } = converted
  return { currency, date, rate: { ...rate, rate: decimalToString(rate.rate) } }
}

export function readWanted(stored: StoredExchange | undefined): WantedExchange | undefined {
  if (stored === undefined) return undefined
  const { currency, date, rate } = stored
  return { currency, date, rate: rate && { ...rate, rate: decimal(rate.rate) } }
}

function readExchange({ exchange, taxes }: StoredCopy): TaxExchange | undefined {
  const wanted = readWanted(exchange)
  if (wanted === undefined) return undefined
  const { currency, date, rate } = wanted
  if (rate === undefined) return { currency, date, converted: null }
  const sum = (minors: readonly (string | undefined)[]) =>
    Money.ofMinor(
      currency,
      minors.reduce((total, minor) => total + BigInt(minor ?? 0), 0n),
    )
  const groups = groupsOf(taxes).map((group) => ({
    base: sum(group.map(({ converted_base: base }) => base)),
    amount: sum(group.map(({ converted }) => converted)),
  }))
  return { currency, date, converted: { rate, total: sum(taxes.map(({ converted }) => converted)), groups } }
}

function sumOf(parts: readonly TaxPart[], amountOf: (part: TaxPart) => Money): string {
  return parts.reduce((sum, part) => sum + amountOf(part).minor, 0n).toString()
}

function readTaxes(stored: readonly StoredGroup[], money: (minor: string) => Money): TaxGroup[] {
  return groupsOf(stored).flatMap(([first, ...others]) =>
    first === undefined
      ? []
      : {
          name: first.name,
          percentage: decimal(first.percentage),
          treatment: first.treatment,
          base: others.reduce((sum, { base }) => sum.plus(money(base)), money(first.base)),
          amount: others.reduce((sum, { amount }) => sum.plus(money(amount)), money(first.amount)),
        },
  )
}

/** The parts of one tax, which differ in their origin. */
function groupsOf(stored: readonly StoredGroup[]): StoredGroup[][] {
  const groups = Map.groupBy(stored, ({ treatment, name, percentage }) =>
    JSON.stringify([treatment, name, percentage]),
  )
  return [...groups.values()]
}

function storedOrigin(origin: RateOrigin | undefined, place: string): StoredOrigin {
  if (origin === undefined) return {}
  const { country, region, category } = origin
  return {
    ...(country !== place && { country }),
    ...(region !== null && { region }),
    ...(category !== null && { category }),
  }
}

function readOrigin({ country, region, category }: StoredOrigin, place: string): RateOrigin {
  return { country: country ?? place, region: region ?? null, category: category ?? null }
}

function storedRate({ name, percentage, origin }: NamedRate, place: string) {
  const stored = storedOrigin(origin, place)
  const rate = [name, decimalToString(percentage)] as const
  return Object.keys(stored).length === 0 ? rate : ([...rate, stored] as const)
}

function storedLine(line: InvoiceLine, place: string): StoredLine {
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
    ...(line.change !== undefined && { change: storedChange(line.change) }),
    treatment: line.treatment,
    ...(line.rates.length > 0 && { rates: line.rates.map((rate) => storedRate(rate, place)) }),
    ...(line.lineId !== undefined && { line_id: line.lineId }),
  }
}

function storedChange({ discount, ...change }: LineChange): StoredChange {
  return { ...change, ...(discount !== undefined && { discount: discount.minor.toString() }) }
}

function readChange({ discount, ...change }: StoredChange, money: (minor: string) => Money): LineChange {
  return { ...change, ...(discount !== undefined && { discount: money(discount) }) }
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

import { instantOf, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Line } from '#modules/catalogue'
import { readTaxedAs, storedTaxedAs, type StoredTaxedAs } from '#modules/taxes'
import type { AwaitedPayment, ChangedPeriod, PendingChange } from '../model/plan-change.ts'

/** Amounts are texts in minor units, so that no JSON reader rounds them. */
interface StoredLine extends Omit<Line, 'price' | 'billed'> {
  readonly price_minor: string
  readonly billed: Omit<Line['billed'], 'taxedAs' | 'net' | 'tax'>
  readonly taxed_as?: StoredTaxedAs
}

interface StoredPeriod {
  readonly start: string
  readonly priced_from: string
  readonly parts: readonly ({
    net_minor: string
    from: string
    order_id: string | null
    line?: number
    taxed_as?: StoredTaxedAs
  } | null)[]
  readonly orders?: readonly string[]
}

interface StoredChange {
  readonly at: string
  readonly items: PendingChange['items']
  readonly rhythm: PendingChange['rhythm']
  readonly payment?: StoredPayment
}

interface StoredPayment {
  readonly order_id: string
  readonly until: string
  readonly announced: boolean
  readonly reply: AwaitedPayment['reply']
  readonly proration: { readonly from: string; readonly remaining: number; readonly whole: number } | null
  readonly period: StoredPeriod | null
  readonly lowering: readonly string[]
}

export function storedChange(change: PendingChange | null): string | null {
  if (change === null) return null
  const { at, items, rhythm, payment } = change
  return JSON.stringify({
    at: toRfc3339(at),
    items,
    rhythm,
    ...(payment !== null && { payment: storedPayment(payment) }),
  } satisfies StoredChange)
}

function storedPayment(payment: AwaitedPayment): StoredPayment {
  return {
    order_id: payment.orderId,
    until: toRfc3339(payment.until),
    announced: payment.isAnnounced,
    reply: payment.reply,
    proration: payment.proration && { ...payment.proration, from: toRfc3339(payment.proration.from) },
    period: payment.period && storedPeriod(payment.period),
    lowering: payment.lowering,
  }
}

export function readPendingChange(text: string | null, currency: string): PendingChange | null {
  if (text === null) return null
  const { at, items, rhythm, payment } = JSON.parse(text) as StoredChange
  return {
    at: instantOf(at),
    items,
    rhythm,
    payment: payment === undefined ? null : readPayment(payment, currency),
  }
}

function readPayment(payment: StoredPayment, currency: string): AwaitedPayment {
  return {
    orderId: payment.order_id,
    until: instantOf(payment.until),
    isAnnounced: payment.announced,
    reply: payment.reply,
    proration: payment.proration && { ...payment.proration, from: instantOf(payment.proration.from) },
    period: payment.period && toChangedPeriod(payment.period, currency),
    lowering: payment.lowering,
  }
}

const NO_LINES: readonly Line[] = []

export function storedLines(lines: readonly Line[]): string | null {
  if (lines.length === 0) return null
  return JSON.stringify(
    lines.map(
      ({
        price,
        billed: { kind, period, recurringItemId, units, taxedAs, creditedOrderId },
        ...line
      }): StoredLine => ({
        ...line,
        price_minor: price.minor.toString(),
        billed: { kind, period, recurringItemId, units, creditedOrderId },
        ...(taxedAs !== undefined && { taxed_as: storedTaxedAs(taxedAs) }),
      }),
    ),
  )
}

export function readPendingLines(text: string | null, currency: string): readonly Line[] {
  if (text === null) return NO_LINES
  return (JSON.parse(text) as StoredLine[]).map(({ price_minor, billed, taxed_as, ...line }) => ({
    ...line,
    price: Money.ofMinor(currency, BigInt(price_minor)),
    billed: { ...billed, ...(taxed_as !== undefined && { taxedAs: readTaxedAs(taxed_as) }) },
  }))
}

function storedPeriod({ start, pricedFrom, parts, orders }: ChangedPeriod): StoredPeriod {
  return {
    start: toRfc3339(start),
    priced_from: toRfc3339(pricedFrom),
    orders,
    parts: parts.map(
      (part) =>
        part && {
          net_minor: part.net.minor.toString(),
          from: toRfc3339(part.from),
          order_id: part.orderId,
          ...(part.line !== undefined && { line: part.line }),
          ...(part.taxedAs !== undefined && { taxed_as: storedTaxedAs(part.taxedAs) }),
        },
    ),
  }
}

export function storedChangedPeriod(period: ChangedPeriod | null): string | null {
  return period && JSON.stringify(storedPeriod(period))
}

export function readChangedPeriod(text: string | null, currency: string): ChangedPeriod | null {
  return text === null ? null : toChangedPeriod(JSON.parse(text) as StoredPeriod, currency)
}

function toChangedPeriod(
  { start, priced_from, parts, orders }: StoredPeriod,
  currency: string,
): ChangedPeriod {
  return {
    start: instantOf(start),
    pricedFrom: instantOf(priced_from),
    orders: orders ?? [...new Set(parts.flatMap((part) => part?.order_id ?? []))],
    parts: parts.map(
      (part) =>
        part && {
          net: Money.ofMinor(currency, BigInt(part.net_minor)),
          from: instantOf(part.from),
          orderId: part.order_id,
          ...(part.line !== undefined && { line: part.line }),
          ...(part.taxed_as !== undefined && { taxedAs: readTaxedAs(part.taxed_as) }),
        },
    ),
  }
}

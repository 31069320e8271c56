import type { Stub } from '#kernel/calendar'
import { divideHalfUp } from '#kernel/decimal'
import { Money, sumMoney } from '#kernel/money'
import { type LineItem, lineTotal } from '#modules/payments'
import { type OrderTax, runningShares } from '#modules/taxes'
import type { CouponTerms, Discount, Line, PricedLine } from '#modules/catalogue'
import { applyTax, type Taxation } from './tax-lines.ts'

/** The labels of lines that stand for no item. Payment pages translate them for the payer. */
export const LABELS = {
  proration: 'Proration',
  discount: 'Discount',
  credit: 'Credit',
  to_credit: 'To credit',
} as const

/**
 * - `lowering`: The ids of the coupons that have a line.
 * - `toCredit`: What the order adds to the plan's credit, because its lines sum below zero.
 * - `tax`: Null where no tax was asked for.
 */
export interface BilledLines {
  readonly lines: readonly Line[]
  readonly lowering: readonly string[]
  readonly total: Money
  readonly creditUsed: Money
  readonly toCredit: Money
  readonly tax: OrderTax | null
}

/**
 * - `coupons`: In the order of attachment.
 * - `waiting`: Lines of changes, written net.
 */
export interface Billed {
  readonly items: readonly Line[]
  readonly discount: Discount | null
  readonly coupons?: readonly CouponTerms[]
  readonly stub?: Stub | undefined
  readonly waiting?: readonly Line[]
  readonly taxation?: Taxation | null
  readonly credit: Money
}

/** Returns a line per item and a line per deduction (reference/recurring#amounts). The lines sum to the total. */
export function billLines({
  items,
  discount,
  coupons = [],
  stub,
  waiting = [],
  taxation = null,
  credit,
}: Billed): BilledLines {
  const { currency } = credit
  const deducted = deductFromItems(items, discount, stub, currency, coupons)
  const nets = [...deducted.nets, ...waiting.map(lineTotal)]
  const taxed = taxation && applyTax(taxation, [...items, ...waiting], nets, currency)
  const untaxed = deducted.lowering.length === 0 ? items : withNets(items, deducted.nets)
  const due = sumMoney(currency, [...nets, ...(taxed?.added.map(lineTotal) ?? [])])
  const none = Money.zero(currency)
  const creditUsed = due.isNegative() ? none : credit.lessThan(due) ? credit : due
  const toCredit = due.isNegative() ? due.negated() : none
  return {
    lines: [
      ...(taxed?.lines ?? [...untaxed, ...waiting]),
      ...deducted.lines,
      ...(taxed?.added ?? []),
      ...adjustment('credit', creditUsed.negated()),
      ...adjustment('to_credit', toCredit),
    ],
    lowering: deducted.lowering,
    total: due.minus(creditUsed).plus(toCredit),
    creditUsed,
    toCredit,
    tax: taxed?.tax ?? null,
  }
}

/** Coupons may cover some items only. The lines then do not show what was billed for each item. */
function withNets(items: readonly Line[], nets: readonly Money[]): Line[] {
  return items.map((line, index) => ({ ...line, billed: { ...line.billed, net: nets[index] } }))
}

interface Deducted {
  /** What is left of each item. */
  readonly nets: readonly Money[]
  readonly lines: readonly Line[]
  readonly lowering: readonly string[]
}

/**
 * Only the net of all items is rounded, once, half-up. Each deduction is the difference of two rounded amounts, and is spread
 * over the items as running shares of what is left of them. Then each coupon lowers what is left of the items that it covers
 * (reference/billing-coupons#order).
 */
export function deductFromItems(
  items: readonly Line[],
  discount: Discount | null,
  stub: Stub | undefined,
  currency: string,
  coupons: readonly CouponTerms[] = [],
): Deducted {
  const gross = grossOf(items, currency)
  const prorated = stub === undefined ? gross : gross.prorate(BigInt(stub.days), BigInt(stub.periodDays))
  const net = netOf(gross, discount, stub)
  let nets = items.map(lineTotal)
  for (const amount of [gross.minus(prorated), prorated.minus(net)]) {
    nets = deductRunningShares(nets, amount, nets)
  }
  const lines = [
    ...adjustment('proration', prorated.minus(gross)),
    ...adjustment('discount', net.minus(prorated)),
  ]
  const lowering: string[] = []
  for (const coupon of coupons) {
    const covered = nets.map((left, index) =>
      covers(coupon, items[index]?.productId ?? null) ? left : Money.zero(currency),
    )
    const rest = sumMoney(currency, covered)
    const amount = rest.minus(netOf(rest, ofStub(coupon.off, stub), undefined))
    if (amount.isZero()) continue
    nets = deductRunningShares(nets, amount, covered)
    lines.push({ label: coupon.name, price: amount.negated(), quantity: 1, billed: { kind: 'coupon' } })
    lowering.push(coupon.id)
  }
  return { nets, lines, lowering }
}

export function covers({ productIds }: Pick<CouponTerms, 'productIds'>, productId: string | null): boolean {
  return productIds === null || (productId !== null && productIds.includes(productId))
}

/** A fixed amount lowers a stub in proportion; a percentage does so by itself. */
function ofStub(off: Discount, stub: Stub | undefined): Discount {
  if (stub === undefined || off.type === 'percentage') return off
  return { ...off, amount: off.amount.prorate(BigInt(stub.days), BigInt(stub.periodDays)) }
}

function deductRunningShares(from: readonly Money[], amount: Money, weights: readonly Money[]): Money[] {
  const shares = runningShares(amount, weights)
  return from.map((money, index) => money.minus(shares[index] ?? Money.zero(amount.currency)))
}

/** Returns what an order billed for each item after deductions. The items are its first `count` lines. */
export function netsOfLines(lines: readonly LineItem[], count: number): Money[] {
  const items = lines.slice(0, count)
  const written = items.flatMap(({ billed }) => billed?.net ?? [])
  if (written.length === items.length) return written
  let nets = items.map(lineTotal)
  for (const line of lines.slice(count)) {
    if (isDeduction(line)) nets = deductRunningShares(nets, lineTotal(line).negated(), nets)
  }
  return nets
}

/** In orders from before lines had a kind, deductions are recognised by their label. */
function isDeduction({ billed, label }: LineItem): boolean {
  const kind = billed?.kind
  if (kind !== undefined) return kind === 'proration' || kind === 'discount'
  return label === LABELS.proration || label === LABELS.discount
}

/** Returns `billing_amount`: the price of a full period before credit, at least 0. */
export function billingAmount(
  items: readonly PricedLine[],
  discount: Discount | null,
  currency: string,
): Money {
  return netOf(grossOf(items, currency), discount, undefined)
}

export function grossOf(items: readonly PricedLine[], currency: string): Money {
  return sumMoney(currency, items.map(lineTotal))
}

function netOf(gross: Money, discount: Discount | null, stub: Stub | undefined): Money {
  const days = BigInt(stub?.days ?? 1)
  const periodDays = BigInt(stub?.periodDays ?? 1)
  const { numerator, denominator } = discounted(gross, discount)
  if (numerator <= 0n) return Money.zero(gross.currency)
  return Money.ofMinor(gross.currency, divideHalfUp(numerator * days, denominator * periodDays))
}

function discounted(gross: Money, discount: Discount | null): { numerator: bigint; denominator: bigint } {
  if (discount === null) return { numerator: gross.minor, denominator: 1n }
  if (discount.type === 'fixed_amount') {
    return { numerator: gross.minus(discount.amount).minor, denominator: 1n }
  }
  const whole = 100n * 10n ** BigInt(discount.rate.scale)
  return { numerator: gross.minor * (whole - discount.rate.unscaled), denominator: whole }
}

function adjustment(kind: keyof typeof LABELS, amount: Money): Line[] {
  return amount.isZero() ? [] : [{ label: LABELS[kind], price: amount, quantity: 1, billed: { kind } }]
}

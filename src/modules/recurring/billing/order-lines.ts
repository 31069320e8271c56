import type { Stub } from '#kernel/calendar'
import { divideHalfUp, type Decimal } from '#kernel/decimal'
import { Money, sumMoney } from '#kernel/money'
import { lineTotal } from '#modules/payments'

export interface Line {
  readonly label: string
  /** The price of one unit; negative on Proration, Discount and Credit. */
  readonly price: Money
  readonly quantity: number
}

export const DISCOUNT_TYPES = ['fixed_amount', 'percentage'] as const satisfies Discount['type'][]

export type Discount =
  | { readonly type: 'fixed_amount'; readonly amount: Money }
  | { readonly type: 'percentage'; readonly rate: Decimal }

/** The labels of deduction lines. Payment pages translate them for the payer. */
export const DEDUCTIONS = { proration: 'Proration', discount: 'Discount', credit: 'Credit' } as const

export interface BilledLines {
  readonly lines: readonly Line[]
  readonly total: Money
  readonly creditUsed: Money
}

export interface Billed {
  readonly items: readonly Line[]
  readonly discount: Discount | null
  readonly stub?: Stub | undefined
  readonly credit: Money
}

/**
 * Returns a line per item and a line per deduction (reference/recurring#amounts). Only the net is rounded, once, half-up.
 * Each deduction is the difference of two rounded amounts, so the lines sum to the total.
 */
export function billLines(billed: Billed): BilledLines {
  const { items, discount, stub, credit } = billed
  const currency = credit.currency
  const gross = grossOf(items, currency)
  const prorated = stub === undefined ? gross : gross.prorate(BigInt(stub.days), BigInt(stub.periodDays))
  const net = netOf(gross, discount, stub)
  const creditUsed = credit.lessThan(net) ? credit : net
  return {
    lines: [
      ...items,
      ...deduction(DEDUCTIONS.proration, gross.minus(prorated)),
      ...deduction(DEDUCTIONS.discount, prorated.minus(net)),
      ...deduction(DEDUCTIONS.credit, creditUsed),
    ],
    total: net.minus(creditUsed),
    creditUsed,
  }
}

/** Returns `billing_amount`: the price of a full period before credit, at least 0. */
export function billingAmount(items: readonly Line[], discount: Discount | null, currency: string): Money {
  return netOf(grossOf(items, currency), discount, undefined)
}

export function grossOf(items: readonly Line[], currency: string): Money {
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

function deduction(label: string, amount: Money): Line[] {
  return amount.isZero() ? [] : [{ label, price: amount.negated(), quantity: 1 }]
}

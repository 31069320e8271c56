import type { Stub } from '#kernel/calendar'
import { divideHalfUp, type Decimal } from '#kernel/decimal'
import { Money, sumMoney } from '#kernel/money'
import { lineTotal } from '#modules/payments'

/** What a cycle sells, `quantity` of an item at its price; or what an order charges for it, and takes off. */
export interface Line {
  readonly label: string
  /** Of one; negative on Proration, Discount and Credit. */
  readonly price: Money
  readonly quantity: number
}

/** A fixed amount off each order, or a share of it in percent, 0 to 100. */
export type Discount =
  | { readonly type: 'fixed_amount'; readonly amount: Money }
  | { readonly type: 'percentage'; readonly rate: Decimal }

/** Of the lines that say what is taken off; whoever shows an order to its payer says them in the payer's language. */
export const DEDUCTIONS = { proration: 'Proration', discount: 'Discount', credit: 'Credit' } as const

export interface BilledLines {
  /** They sum to `total`. */
  readonly lines: readonly Line[]
  readonly total: Money
  /** How much of the plan's credit the order uses up. */
  readonly creditUsed: Money
}

export interface Billed {
  readonly items: readonly Line[]
  readonly discount: Discount | null
  /** Set when the order bills only some days of a period. */
  readonly stub?: Stub | undefined
  readonly credit: Money
}

/**
 * The lines of one order of a cycle (decisions, section 5): a charge per item, then what proration, discount and credit
 * take off. Only the net is rounded, half-up, once: each deduction is what is missing between two amounts, and so exact.
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

/** `billing_amount`: what a full period of the cycle costs, before credit; never below 0. */
export function billingAmount(items: readonly Line[], discount: Discount | null, currency: string): Money {
  return netOf(grossOf(items, currency), discount, undefined)
}

/** Σ price × quantity. */
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

/** The gross less its discount as an exact fraction of minor units. */
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

import { type Currency, minorDigits } from './currencies.ts'
import {
  type DecimalProblem,
  divideHalfUp,
  formatUnscaled,
  isDecimalProblem,
  parseDecimal,
  unscaledAt,
} from './decimal.ts'
import { type ExactNumber, rawNumber } from './json.ts'

/** Digits that an amount may have before the point (decisions, section 1, "Money"). */
const MAX_DIGITS_BEFORE_POINT = 15

/**
 * An exact amount of one currency, in its minor units (cents, yen, fils). Immutable.
 *
 * Rounding, where there is any, is half-up: a half goes away from zero, for negative amounts too, so that a refund
 * rounds as its payment did. Two currencies in one operation throw `CurrencyMismatch`: that is a defect of ours.
 */
export class Money {
  readonly currency: Currency
  readonly minor: bigint

  private constructor(currency: Currency, minor: bigint) {
    this.currency = currency
    this.minor = minor
  }

  /** From minor units, as a column `…_minor` holds them: `Money.ofMinor('HKD', 15050n)` is 150.50. */
  static ofMinor(currency: Currency, minor: bigint): Money {
    return new Money(currency, minor)
  }

  static zero(currency: Currency): Money {
    return new Money(currency, 0n)
  }

  /** From a decimal text that is known to be good. Throws RangeError: for what a caller sent use `parseMoney`. */
  static ofDecimal(currency: Currency, text: string): Money {
    const parsed = parseMoney(currency, text)
    if (parsed instanceof Money) return parsed
    throw new RangeError(`${text} is no amount of ${currency}: it ${parsed.message}`)
  }

  plus(other: Money): Money {
    return new Money(this.currency, this.minor + this.#minorOf(other))
  }

  minus(other: Money): Money {
    return new Money(this.currency, this.minor - this.#minorOf(other))
  }

  negated(): Money {
    return new Money(this.currency, -this.minor)
  }

  abs(): Money {
    return this.minor < 0n ? this.negated() : this
  }

  times(quantity: bigint): Money {
    return new Money(this.currency, this.minor * quantity)
  }

  /** This times `numerator / denominator`, half-up: a share of days. */
  prorate(numerator: bigint, denominator: bigint): Money {
    return new Money(this.currency, divideHalfUp(this.minor * numerator, denominator))
  }

  /** Negative, 0 or positive, for sorting. */
  compare(other: Money): number {
    const right = this.#minorOf(other)
    return this.minor < right ? -1 : this.minor > right ? 1 : 0
  }

  greaterThan(other: Money): boolean {
    return this.minor > this.#minorOf(other)
  }

  lessThan(other: Money): boolean {
    return this.minor < this.#minorOf(other)
  }

  /** Same amount of the same currency; amounts of two currencies throw, as everywhere. */
  equals(other: Money): boolean {
    return this.minor === this.#minorOf(other)
  }

  isZero(): boolean {
    return this.minor === 0n
  }

  isPositive(): boolean {
    return this.minor > 0n
  }

  isNegative(): boolean {
    return this.minor < 0n
  }

  /** With all the digits of the currency and without its code: "150.50", "-3.00", "1200". */
  toString(): string {
    return formatUnscaled(this.minor, minorDigits(this.currency))
  }

  /** A JSON number with the same digits as the text: `JSON.stringify` writes 150.50. */
  toJSON(): unknown {
    return rawNumber(this.toString())
  }

  #minorOf(other: Money): bigint {
    if (other.currency !== this.currency) throw new CurrencyMismatch(this.currency, other.currency)
    return other.minor
  }
}

export class CurrencyMismatch extends Error {
  constructor(left: Currency, right: Currency) {
    super(`an amount in ${right} cannot be combined with one in ${left}`)
    this.name = 'CurrencyMismatch'
  }
}

/**
 * Reads the amount that a caller sent as `param`, see `parseMoney`.
 * @throws what `refuse` makes of the rule that it breaks: "must have at most 2 decimals"
 */
export function readMoney(
  currency: Currency,
  value: string | number | ExactNumber,
  param: string,
  refuse: (param: string, rule: string) => Error,
): Money {
  const amount = parseMoney(currency, value)
  if (amount instanceof Money) return amount
  throw refuse(param, amount.message)
}

/** Reads an amount. Digits count by value, so 10.00 is 10 yen. The problem says what is wrong. */
export function parseMoney(currency: Currency, value: string | number | ExactNumber): Money | DecimalProblem {
  const digits = minorDigits(currency)
  const parsed = parseDecimal(value, { beforePoint: MAX_DIGITS_BEFORE_POINT, afterPoint: digits })
  if (!isDecimalProblem(parsed)) return Money.ofMinor(currency, unscaledAt(parsed, digits))
  if (parsed.problem !== 'too_many_decimals') return parsed
  return { problem: parsed.problem, message: `${parsed.message} in ${currency}` }
}

/** The sum of amounts of one currency; zero when there are none. */
export function sumMoney(currency: Currency, amounts: Iterable<Money>): Money {
  let total = Money.zero(currency)
  for (const amount of amounts) total = total.plus(amount)
  return total
}

import { type Currency, minorDigits } from './currencies.ts'
import {
  type Decimal,
  type DecimalProblem,
  divideHalfUp,
  formatUnscaled,
  isDecimalProblem,
  parseDecimal,
  unscaledAt,
} from './decimal.ts'
import { type ExactNumber, rawNumber } from './json.ts'

/** The bound of reference/conventions#money. */
const MAX_DIGITS_BEFORE_POINT = 15

/**
 * An exact, immutable amount of one currency in its minor units (cents, yen, fils).
 * A half is rounded away from zero, so that a refund rounds as its payment did. Mixing two currencies throws
 * `CurrencyMismatch`, which is a defect of ours.
 */
export class Money {
  readonly currency: Currency
  readonly minor: bigint

  private constructor(currency: Currency, minor: bigint) {
    this.currency = currency
    this.minor = minor
  }

  static ofMinor(currency: Currency, minor: bigint): Money {
    return new Money(currency, minor)
  }

  static zero(currency: Currency): Money {
    return new Money(currency, 0n)
  }

  /** For constants and columns: throws RangeError. Amounts of callers go through `parseMoney`. */
  static ofDecimal(currency: Currency, text: string): Money {
    const parsed = parseMoney(currency, text)
    if (parsed instanceof Money) return parsed
    throw new RangeError(`${text} is not an amount in ${currency}: it ${parsed.message}`)
  }

  static exactly(currency: Currency, amount: Decimal): Money | undefined {
    const digits = minorDigits(currency)
    return amount.scale > digits ? undefined : new Money(currency, unscaledAt(amount, digits))
  }

  static rounded(currency: Currency, amount: Decimal): Money {
    const digits = minorDigits(currency)
    return new Money(
      currency,
      divideHalfUp(amount.unscaled * 10n ** BigInt(digits), 10n ** BigInt(amount.scale)),
    )
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

  prorate(numerator: bigint, denominator: bigint): Money {
    return new Money(this.currency, divideHalfUp(this.minor * numerator, denominator))
  }

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

  toDecimal(): Decimal {
    return { unscaled: this.minor, scale: minorDigits(this.currency) }
  }

  toString(): string {
    return formatUnscaled(this.minor, minorDigits(this.currency))
  }

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

export function readMoney(
  currency: Currency,
  value: string | number | ExactNumber,
  param: string,
  toError: (param: string, rule: string) => Error,
): Money {
  const amount = parseMoney(currency, value)
  if (amount instanceof Money) return amount
  throw toError(param, amount.message)
}

export function parseMoney(currency: Currency, value: string | number | ExactNumber): Money | DecimalProblem {
  const digits = minorDigits(currency)
  const parsed = parseDecimal(value, { beforePoint: MAX_DIGITS_BEFORE_POINT, afterPoint: digits })
  if (!isDecimalProblem(parsed)) return Money.ofMinor(currency, unscaledAt(parsed, digits))
  if (parsed.problem !== 'too_many_decimals') return parsed
  return { problem: parsed.problem, message: `${parsed.message} in ${currency}` }
}

export function sumMoney(currency: Currency, amounts: Iterable<Money>): Money {
  let total = Money.zero(currency)
  for (const amount of amounts) total = total.plus(amount)
  return total
}

import { ExactNumber } from './json.ts'
import { readNumber } from './number-text.ts'

/**
 * An exact decimal: `unscaled / 10^scale`. It is kept by value, without trailing zeros, so that 10.00, 10 and 1e1
 * are the same: `{unscaled: 10n, scale: 0}`. `scale` is never negative.
 */
export interface Decimal {
  readonly unscaled: bigint
  readonly scale: number
}

export interface DecimalProblem {
  readonly problem: 'not_a_number' | 'too_many_digits' | 'too_many_decimals'
  /** Completes "amount …": "must have at most 2 decimals". */
  readonly message: string
}

/** How many digits a decimal may have by value: 1e999999 must cost nothing. */
export interface DecimalBounds {
  readonly beforePoint: number
  readonly afterPoint: number
}

/** Wide enough for rates and for a token's 18 digits; numeric(30,0) holds what stands before the point. */
const DEFAULT_BOUNDS: DecimalBounds = { beforePoint: 30, afterPoint: 30 }

/**
 * Reads a decimal from text ("150.50", "-3", "1e2") or from a JSON number, by value: digits that are zeros at the
 * end are not counted. Answers a problem when it is no number or has more digits than `bounds` allow.
 */
export function parseDecimal(
  value: string | number | bigint | ExactNumber,
  bounds: DecimalBounds = DEFAULT_BOUNDS,
): Decimal | DecimalProblem {
  const number = readNumber(value instanceof ExactNumber ? value.source : String(value))
  if (number === undefined) return { problem: 'not_a_number', message: 'must be a decimal number' }
  const { digits, exponent } = number
  if (digits.length + exponent > bounds.beforePoint) {
    return {
      problem: 'too_many_digits',
      message: `must have at most ${bounds.beforePoint} digits before the point`,
    }
  }
  if (-exponent > bounds.afterPoint) {
    return {
      problem: 'too_many_decimals',
      message:
        bounds.afterPoint === 0
          ? 'must be a whole number'
          : `must have at most ${bounds.afterPoint} decimals`,
    }
  }
  const magnitude = BigInt(digits) * 10n ** BigInt(Math.max(0, exponent))
  return { unscaled: number.negative ? -magnitude : magnitude, scale: Math.max(0, -exponent) }
}

/** As `parseDecimal` of a text that is known to be one (a column, a constant). Throws RangeError when it is not. */
export function decimal(value: string | number | bigint): Decimal {
  const parsed = parseDecimal(value)
  if (isDecimalProblem(parsed)) throw new RangeError(`${value}: ${parsed.message}`)
  return parsed
}

export function isDecimalProblem(value: Decimal | DecimalProblem): value is DecimalProblem {
  return 'problem' in value
}

/** Negative, 0 or positive as `a` is less than, equal to or greater than `b`. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale)
  const left = unscaledAt(a, scale)
  const right = unscaledAt(b, scale)
  return left < right ? -1 : left > right ? 1 : 0
}

/** The value times 10^scale, for a `scale` at least the decimal's own. */
export function unscaledAt(value: Decimal, scale: number): bigint {
  return value.unscaled * 10n ** BigInt(scale - value.scale)
}

/** Plain text with at least `minimumDigits` after the point: "150.5", "150.50". Never an exponent. */
export function decimalToString(value: Decimal, minimumDigits = 0): string {
  const scale = Math.max(value.scale, minimumDigits)
  return formatUnscaled(unscaledAt(value, scale), scale)
}

/** `unscaled / 10^scale` written with exactly `scale` digits after the point. */
export function formatUnscaled(unscaled: bigint, scale: number): string {
  if (scale === 0) return unscaled.toString()
  const sign = unscaled < 0n ? '-' : ''
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** `numerator / denominator` rounded half-up, which here means: a half goes away from zero, below zero too. */
export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (denominator === 0n) throw new RangeError('division by zero')
  const negative = numerator < 0n !== denominator < 0n
  const n = numerator < 0n ? -numerator : numerator
  const d = denominator < 0n ? -denominator : denominator
  const rounded = (2n * n + d) / (2n * d)
  return negative ? -rounded : rounded
}

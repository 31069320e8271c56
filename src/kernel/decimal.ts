import { ExactNumber } from './json.ts'
import { readNumber } from './number-text.ts'

/**
 * An exact decimal, `unscaled / 10^scale`. One that was parsed has no trailing zeros: 10.00, 10 and 1e1 are all
 * `{unscaled: 10n, scale: 0}`. `scale` is never negative.
 */
export interface Decimal {
  readonly unscaled: bigint
  readonly scale: number
}

export interface DecimalProblem {
  readonly problem: 'not_a_number' | 'too_many_digits' | 'too_many_decimals'
  readonly message: string
}

/** Bounds on the digits of the value. They keep 1e999999 from costing anything. */
export interface DecimalBounds {
  readonly beforePoint: number
  readonly afterPoint: number
}

const DEFAULT_BOUNDS: DecimalBounds = { beforePoint: 30, afterPoint: 30 }

/**
 * Reads a decimal from text ("150.50", "-3", "1e2") or from a JSON number. Trailing zeros count neither as
 * digits nor as decimals.
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

export function decimal(value: string | number | bigint): Decimal {
  const parsed = parseDecimal(value)
  if (isDecimalProblem(parsed)) throw new RangeError(`${value}: ${parsed.message}`)
  return parsed
}

export function wholeDecimal(value: number): Decimal {
  return { unscaled: BigInt(value), scale: 0 }
}

export function isDecimalProblem(value: Decimal | DecimalProblem): value is DecimalProblem {
  return 'problem' in value
}

export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale)
  const left = unscaledAt(a, scale)
  const right = unscaledAt(b, scale)
  return left < right ? -1 : left > right ? 1 : 0
}

export function plusDecimals(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale)
  return { unscaled: unscaledAt(a, scale) + unscaledAt(b, scale), scale }
}

export function minusDecimals(a: Decimal, b: Decimal): Decimal {
  return plusDecimals(a, { unscaled: -b.unscaled, scale: b.scale })
}

export function timesDecimals(a: Decimal, b: Decimal): Decimal {
  return { unscaled: a.unscaled * b.unscaled, scale: a.scale + b.scale }
}

export function unscaledAt(value: Decimal, scale: number): bigint {
  return value.unscaled * 10n ** BigInt(scale - value.scale)
}

export function decimalToString(value: Decimal, minimumDigits = 0): string {
  const scale = Math.max(value.scale, minimumDigits)
  return formatUnscaled(unscaledAt(value, scale), scale)
}

export function formatUnscaled(unscaled: bigint, scale: number): string {
  if (scale === 0) return unscaled.toString()
  const sign = unscaled < 0n ? '-' : ''
  const digits = (unscaled < 0n ? -unscaled : unscaled).toString().padStart(scale + 1, '0')
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

export function divideHalfUp(numerator: bigint, denominator: bigint): bigint {
  if (denominator === 0n) throw new RangeError('division by zero')
  const negative = numerator < 0n !== denominator < 0n
  const n = numerator < 0n ? -numerator : numerator
  const d = denominator < 0n ? -denominator : denominator
  const rounded = (2n * n + d) / (2n * d)
  return negative ? -rounded : rounded
}

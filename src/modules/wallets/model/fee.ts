import { type Decimal, divideHalfUp, isDecimalProblem, parseDecimal, unscaledAt } from '#kernel/decimal'
import { errors } from '../errors.ts'

export const CENT_DIGITS = 2
const PERCENTAGE_DECIMALS = 6
const HUNDRED_PERCENT = 100n

export interface Fee {
  readonly fixedMinor: bigint
  readonly percentage: Decimal
}

export const NO_FEE: Fee = { fixedMinor: 0n, percentage: { unscaled: 0n, scale: 0 } }

export function parseFee(fixed: string, percentage: string): Fee {
  const fixedFee = parseDecimal(fixed, { beforePoint: 15, afterPoint: CENT_DIGITS })
  if (isDecimalProblem(fixedFee)) throw invalid('fixed_fee', fixedFee.message)
  if (fixedFee.unscaled < 0n) throw invalid('fixed_fee', 'must not be negative')
  const rate = parseDecimal(percentage, { beforePoint: 15, afterPoint: PERCENTAGE_DECIMALS })
  if (isDecimalProblem(rate)) throw invalid('percentage_fee', rate.message)
  if (rate.unscaled < 0n || rate.unscaled > HUNDRED_PERCENT * 10n ** BigInt(rate.scale)) {
    throw invalid('percentage_fee', 'must be from 0 to 100')
  }
  return { fixedMinor: unscaledAt(fixedFee, CENT_DIGITS), percentage: rate }
}

function invalid(member: string, problem: string): Error {
  return errors.fee_invalid({ param: `fee_rule.${member}`, message: `fee_rule.${member} ${problem}.` })
}

/** The value of a deposit and its fee, in US cents. */
export interface Valuation {
  readonly usdMinor: bigint
  readonly feeMinor: bigint
}

/** Values a deposit of `units / 10^decimals` at `usdPrice`, by reference/wallets#amounts and reference/wallets#fees. */
export function valueDeposit(units: bigint, decimals: number, usdPrice: Decimal, fee: Fee): Valuation {
  const numerator = units * usdPrice.unscaled * 10n ** BigInt(CENT_DIGITS)
  const denominator = 10n ** BigInt(decimals + usdPrice.scale)
  const usdMinor = divideHalfUp(numerator, denominator)
  const feeDenominator = denominator * HUNDRED_PERCENT * 10n ** BigInt(fee.percentage.scale)
  const feeNumerator = fee.fixedMinor * feeDenominator + numerator * fee.percentage.unscaled
  return { usdMinor, feeMinor: divideHalfUp(feeNumerator, feeDenominator) }
}

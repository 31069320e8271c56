import {
  type Decimal,
  decimalToString,
  divideHalfUp,
  formatUnscaled,
  isDecimalProblem,
  parseDecimal,
  unscaledAt,
} from '#kernel/decimal'
import { errors } from '../api/errors.ts'

/** Fees are owed in US dollars. */
export const CENT_DIGITS = 2
const PERCENTAGE_DECIMALS = 6
const HUNDRED_PERCENT = 100n

/** A top-up fee: `fixedMinor` US cents and `percentage` of the deposit. */
export interface Fee {
  readonly fixedMinor: bigint
  readonly percentage: Decimal
}

/** What is charged when neither the user nor the business has a rule (interface: default 0.00). */
export const NO_FEE: Fee = { fixedMinor: 0n, percentage: { unscaled: 0n, scale: 0 } }

/**
 * Reads the fees of a rule that a caller sent.
 * @throws 422 `fee_invalid` for a negative fee, more than 100 %, or more decimals than cents have
 */
export function parseFee(fixed: string, percentage: string): Fee {
  const fixedFee = parseDecimal(fixed, { beforePoint: 15, afterPoint: CENT_DIGITS })
  if (isDecimalProblem(fixedFee)) throw invalid('fixed_fee', fixedFee.message)
  if (fixedFee.unscaled < 0n) throw invalid('fixed_fee', 'must not be negative')
  const share = parseDecimal(percentage, { beforePoint: 15, afterPoint: PERCENTAGE_DECIMALS })
  if (isDecimalProblem(share)) throw invalid('percentage_fee', share.message)
  if (share.unscaled < 0n || share.unscaled > HUNDRED_PERCENT * 10n ** BigInt(share.scale)) {
    throw invalid('percentage_fee', 'must be from 0 to 100')
  }
  return { fixedMinor: unscaledAt(fixedFee, CENT_DIGITS), percentage: share }
}

function invalid(member: string, problem: string): Error {
  return errors.fee_invalid({ param: `fee_rule.${member}`, message: `fee_rule.${member} ${problem}.` })
}

/** `{fixed_fee, percentage_fee}` as answers show them: decimal strings with at least two digits. */
export function renderFee(fee: Fee): { fixed_fee: string; percentage_fee: string } {
  return {
    fixed_fee: formatUnscaled(fee.fixedMinor, CENT_DIGITS),
    percentage_fee: decimalToString(fee.percentage, 2),
  }
}

/** The value of a deposit and its fee, in US cents. */
export interface Valuation {
  readonly usdMinor: bigint
  readonly feeMinor: bigint
}

/** Values a deposit of `units / 10^decimals` at `usdPrice`, by reference/wallets#amounts and reference/wallets#fees. */
export function valueDeposit(units: bigint, decimals: number, usdPrice: Decimal, fee: Fee): Valuation {
  // numerator / denominator is the exact amount in cents.
  const numerator = units * usdPrice.unscaled * 10n ** BigInt(CENT_DIGITS)
  const denominator = 10n ** BigInt(decimals + usdPrice.scale)
  const usdMinor = divideHalfUp(numerator, denominator)
  const feeDenominator = denominator * HUNDRED_PERCENT * 10n ** BigInt(fee.percentage.scale)
  const feeNumerator = fee.fixedMinor * feeDenominator + numerator * fee.percentage.unscaled
  return { usdMinor, feeMinor: divideHalfUp(feeNumerator, feeDenominator) }
}

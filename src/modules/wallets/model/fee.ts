import { type Decimal, divideHalfUp } from '#kernel/decimal'

export const CENT_DIGITS = 2
export const HUNDRED_PERCENT = 100n

export interface Fee {
  readonly fixedMinor: bigint
  readonly percentage: Decimal
}

export const NO_FEE: Fee = { fixedMinor: 0n, percentage: { unscaled: 0n, scale: 0 } }

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

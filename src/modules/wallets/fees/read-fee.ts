import { isDecimalProblem, parseDecimal, unscaledAt } from '#kernel/decimal'
import { errors } from '../errors.ts'
import { CENT_DIGITS, type Fee, HUNDRED_PERCENT } from '../model/fee.ts'

/** The bound of reference/wallets#fee-rules. */
const PERCENTAGE_DECIMALS = 6

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

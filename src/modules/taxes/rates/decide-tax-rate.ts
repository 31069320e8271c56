import type { Refused } from '#kernel/refusal'
import { dayBefore, overlapKey, type RateScope, type TaxRate } from '../model/tax-rate.ts'
import { type CrowdedLine, MAX_RATES_TOGETHER } from './rates-together.ts'

type RateInvalid = Refused<'tax_rate_invalid'>

export function rateInvalid(member: string, rule: string): RateInvalid {
  const param = `tax_rate.${member}`
  return { refused: 'tax_rate_invalid', param, message: `${param} ${rule}.` }
}

export function refuseDates({ validFrom, validUntil }: TaxRate): RateInvalid | null {
  const endsFirst = validUntil !== null && validUntil < validFrom
  return endsFirst ? rateInvalid('valid_until', 'must not be before valid_from') : null
}

/** A rate that taxed nothing may be left without a day: it then ends on the day before its first. */
export function refuseEnd({ validFrom, validUntil }: TaxRate): RateInvalid | null {
  const earliest = dayBefore(validFrom)
  if (validUntil === null || validUntil >= earliest) return null
  return rateInvalid('valid_until', 'must not be more than a day before valid_from')
}

/** Ends the rate `before`, which the new `rate` replaces, on the day before the new one begins. */
export function decideReplaced(before: TaxRate, rate: TaxRate): TaxRate | RateInvalid {
  const isElsewhere =
    before.country !== rate.country || before.region !== rate.region || before.category !== rate.category
  if (isElsewhere) return rateInvalid('replaces', 'must be a rate of the same country, region and category')
  const validUntil = dayBefore(rate.validFrom)
  if (before.validUntil !== null && before.validUntil < validUntil) {
    return rateInvalid('replaces', `ended on ${before.validUntil}, before ${validUntil}`)
  }
  if (validUntil < dayBefore(before.validFrom)) {
    return rateInvalid('replaces', `begins on ${before.validFrom}, after valid_from`)
  }
  return { ...before, validUntil, updatedAt: rate.createdAt }
}

/** @param others rates that hold on a day of the rate */
export function refuseOverlap(
  rate: RateScope,
  others: readonly (RateScope & { readonly id: string })[],
): Refused<'tax_rate_overlap'> | null {
  const key = overlapKey(rate)
  const other = others.find((one) => overlapKey(one) === key)
  return other === undefined ? null : { refused: 'tax_rate_overlap', data: { tax_rate: { id: other.id } } }
}

/** @param subject what adds the rate */
export function refuseCrowd(
  { rate: { country }, region, category, date }: CrowdedLine<RateScope>,
  subject: string,
): Refused<'tax_rate_limit'> {
  const place = region === null ? country : `${country}, ${region}`
  const lines = category === null ? 'lines' : `lines of the category ${category}`
  return {
    refused: 'tax_rate_limit',
    message: `With ${subject}, more than ${MAX_RATES_TOGETHER} rates would apply to ${lines} in ${place} on ${date}.`,
    data: { country, region, category, date },
  }
}

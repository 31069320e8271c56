import { type Instant, isAfter } from '#kernel/clock'
import { isCurrency } from '#kernel/currencies'
import { compareDecimals, decimal, isDecimalProblem, parseDecimal } from '#kernel/decimal'
import type { RequestError } from '#kernel/errors'
import type { ExactNumber } from '#kernel/json'
import { type Money, readMoney } from '#kernel/money'
import { parseTimeOrDate } from '#kernel/time-text'
import type { TimeZone } from '#kernel/time-zone'
import { platformErrors } from '#platform/errors'
import type { Discount } from '../model/line.ts'
import { errors } from '../errors.ts'
import type { Coupon } from '../model/coupon.ts'
import type { NewCoupon } from '../requests/coupons.ts'

const BOUNDS = { beforePoint: 3, afterPoint: 6 }
const NONE = decimal(0)
const HUNDRED = decimal(100)

export function readCoupon(
  members: NewCoupon,
  zone: TimeZone,
  now: Instant,
): Pick<Coupon, 'off' | 'currency' | 'times' | 'until' | 'minimumAmount'> {
  if (members.times !== undefined && members.until !== undefined) {
    throw invalid('coupon.until', 'cannot be sent with times')
  }
  const currency = readCurrency(members)
  return {
    off: readOff(members, currency),
    currency,
    times: members.times ?? null,
    until: members.until === undefined ? null : readLater('coupon.until', members.until, zone, now),
    minimumAmount:
      members.minimum_amount === undefined || currency === null
        ? null
        : positive(currency, members.minimum_amount, 'coupon.minimum_amount'),
  }
}

function readCurrency({ currency, amount_off, minimum_amount }: NewCoupon): string | null {
  const hasAmount = amount_off !== undefined || minimum_amount !== undefined
  if (currency === undefined) {
    if (hasAmount) throw invalid('coupon.currency', 'is needed with amount_off and minimum_amount')
    return null
  }
  if (!isCurrency(currency)) throw invalid('coupon.currency', 'must be an ISO 4217 code')
  if (!hasAmount) throw invalid('coupon.currency', 'needs amount_off or minimum_amount')
  return currency
}

function readOff({ percent_off, amount_off }: NewCoupon, currency: string | null): Discount {
  if (percent_off === undefined) {
    if (amount_off === undefined || currency === null) {
      throw platformErrors.missing_member({
        param: 'coupon.percent_off',
        message: 'Send either percent_off or amount_off.',
      })
    }
    return { type: 'fixed_amount', amount: positive(currency, amount_off, 'coupon.amount_off') }
  }
  if (amount_off !== undefined) throw invalid('coupon.amount_off', 'cannot be sent with percent_off')
  const rate = parseDecimal(percent_off, BOUNDS)
  if (isDecimalProblem(rate)) throw invalid('coupon.percent_off', rate.message)
  if (compareDecimals(rate, NONE) <= 0 || compareDecimals(rate, HUNDRED) > 0) {
    throw invalid('coupon.percent_off', 'must be above 0 and at most 100')
  }
  return { type: 'percentage', rate }
}

function positive(currency: string, value: number | ExactNumber, param: string): Money {
  const amount = readMoney(currency, value, param, invalid)
  if (!amount.isPositive()) throw invalid(param, 'must be above 0')
  return amount
}

export function readTime(param: string, text: string, zone: TimeZone): Instant {
  const time = parseTimeOrDate(text, zone)
  if (time === undefined) throw invalid(param, 'must be a time (RFC 3339) or a date')
  return time
}

export function readLater(param: string, text: string, zone: TimeZone, now: Instant): Instant {
  const time = readTime(param, text, zone)
  if (!isAfter(time, now)) throw invalid(param, 'must be later than now')
  return time
}

export function invalid(param: string, rule: string): RequestError {
  return errors.coupon_invalid({ param, message: `${param} ${rule}.` })
}

import { errors } from '../api/errors.ts'
import type { Usage } from './usage.ts'

/** Periods whose approvals can be counted. */
export const COUNTED_PERIODS = ['Daily', 'Monthly', 'Lifetime'] as const
type CountedPeriod = (typeof COUNTED_PERIODS)[number]

/** What a card may be used for beside its limits (decisions, section 11). Members left out control nothing. */
export interface SpendingControls {
  readonly allowed_categories?: readonly string[]
  readonly blocked_categories?: readonly string[]
  readonly allowed_countries?: readonly string[]
  readonly blocked_countries?: readonly string[]
  /** How many authorizations are approved at most; those fully reversed are left out. */
  readonly count_limits?: readonly { readonly period: CountedPeriod; readonly count: number }[]
  readonly single_use?: boolean
}

const COUNT_REASONS = {
  Daily: 'count_exceeded_daily',
  Monthly: 'count_exceeded_monthly',
  Lifetime: 'count_exceeded_lifetime',
} as const satisfies Record<CountedPeriod, string>

/** In the order of section 11. */
export const CONTROL_REASONS = [
  'merchant_category_blocked',
  'country_blocked',
  'single_use_spent',
  ...Object.values(COUNT_REASONS),
] as const
export type ControlReason = (typeof CONTROL_REASONS)[number]

/** The first control that forbids a purchase, in the order of section 11; null when none does. */
export function violatedControl(
  controls: SpendingControls,
  merchant: { readonly mcc: string; readonly country: string },
  usage: Usage,
): ControlReason | null {
  if (isBlocked(merchant.mcc, controls.allowed_categories, controls.blocked_categories)) {
    return 'merchant_category_blocked'
  }
  if (isBlocked(merchant.country, controls.allowed_countries, controls.blocked_countries)) {
    return 'country_blocked'
  }
  if (controls.single_use === true && usage.lifetime.count > 0) return 'single_use_spent'
  const approved = {
    Daily: usage.daily.count,
    Monthly: usage.monthly.count,
    Lifetime: usage.lifetime.count,
  }
  for (const period of COUNTED_PERIODS) {
    const limit = controls.count_limits?.find((counted) => counted.period === period)
    if (limit !== undefined && approved[period] >= limit.count) return COUNT_REASONS[period]
  }
  return null
}

/** Blocked wins over allowed. */
function isBlocked(value: string, allowed?: readonly string[], blocked?: readonly string[]): boolean {
  return blocked?.includes(value) === true || (allowed !== undefined && !allowed.includes(value))
}

/**
 * One limit per period.
 * @throws 422 naming the second
 */
export function requireDistinctPeriods(
  limits: readonly { readonly period: string }[] | undefined,
  param: string,
): void {
  const seen = new Set<string>()
  for (const [index, { period }] of (limits ?? []).entries()) {
    if (seen.has(period)) throw errors.card_period_named_twice({ param: `${param}[${index}].period` })
    seen.add(period)
  }
}

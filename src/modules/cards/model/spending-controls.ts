import { COUNTED_PERIODS, type SpendingControls } from './spending-controls-schema.ts'
import type { Usage } from './usage.ts'

type CountedPeriod = (typeof COUNTED_PERIODS)[number]

const COUNT_REASONS = {
  Daily: 'count_exceeded_daily',
  Monthly: 'count_exceeded_monthly',
  Lifetime: 'count_exceeded_lifetime',
} as const satisfies Record<CountedPeriod, string>

export const CONTROL_REASONS = [
  'merchant_category_blocked',
  'country_blocked',
  'single_use_spent',
  ...Object.values(COUNT_REASONS),
] as const
export type ControlReason = (typeof CONTROL_REASONS)[number]

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
  const approvals = {
    Daily: usage.daily.count,
    Monthly: usage.monthly.count,
    Lifetime: usage.lifetime.count,
  }
  for (const period of COUNTED_PERIODS) {
    const limit = controls.count_limits?.find((candidate) => candidate.period === period)
    if (limit !== undefined && approvals[period] >= limit.count) return COUNT_REASONS[period]
  }
  return null
}

function isBlocked(value: string, allowed?: readonly string[], blocked?: readonly string[]): boolean {
  return blocked?.includes(value) === true || (allowed !== undefined && !allowed.includes(value))
}

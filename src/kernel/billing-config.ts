export const BILLING_INTERVALS = ['day', 'week', 'month', 'year'] as const
export type BillingInterval = (typeof BILLING_INTERVALS)[number]
export const BILLING_TYPES = ['anniversary', 'calendar'] as const
export type BillingType = (typeof BILLING_TYPES)[number]

/**
 * When the orders of a cycle are billed. The members have the names of the HTTP API
 * (reference/recurring#billing-configs).
 * - `billing_day_of_month`: 1 to 31, for `calendar` only. In a shorter month the order is billed on the last day.
 * - `billing_proration_enabled`: Whether a calendar cycle that starts between two billing dates bills the days before
 *   the first one.
 */
export interface BillingConfig {
  readonly billing_interval: BillingInterval
  readonly interval_count: number
  readonly billing_type: BillingType
  readonly billing_day_of_month?: number
  readonly billing_month?: number
  readonly billing_proration_enabled: boolean
}

export interface BillingConfigProblem {
  readonly member: keyof BillingConfig
  readonly message: string
}

/** At most ten years, so that no billing date leaves the calendar. */
const MAX_INTERVAL_COUNT: Readonly<Record<BillingInterval, number>> = {
  day: 3650,
  week: 520,
  month: 120,
  year: 10,
}

export function billingConfigProblem(config: BillingConfig): BillingConfigProblem | undefined {
  const { billing_interval: interval, billing_type: type } = config
  const most = MAX_INTERVAL_COUNT[interval]
  if (!isWithin(config.interval_count, most)) {
    return { member: 'interval_count', message: `must be a whole number from 1 to ${most} for ${interval}` }
  }
  if (type === 'calendar' && interval !== 'month' && interval !== 'year') {
    return { member: 'billing_type', message: 'calendar requires billing_interval month or year' }
  }
  return (
    partProblem(config, 'billing_day_of_month', type === 'calendar', 31) ??
    partProblem(config, 'billing_month', type === 'calendar' && interval === 'year', 12) ??
    (config.billing_proration_enabled && type !== 'calendar'
      ? { member: 'billing_proration_enabled', message: 'requires billing_type calendar' }
      : undefined)
  )
}

export function billingConfigKey(config: BillingConfig): string {
  return [
    config.billing_interval,
    config.interval_count,
    config.billing_type,
    config.billing_month ?? '',
    config.billing_day_of_month ?? '',
    config.billing_proration_enabled ? 'prorated' : '',
  ].join('/')
}

function partProblem(
  config: BillingConfig,
  member: 'billing_day_of_month' | 'billing_month',
  belongs: boolean,
  most: number,
): BillingConfigProblem | undefined {
  const value = config[member]
  if (value === undefined) {
    return belongs
      ? {
          member,
          message: `is required for billing_type calendar with billing_interval ${config.billing_interval}`,
        }
      : undefined
  }
  if (!belongs) {
    return {
      member,
      message: `does not apply to billing_type ${config.billing_type} with billing_interval ${config.billing_interval}`,
    }
  }
  return isWithin(value, most) ? undefined : { member, message: `must be a whole number from 1 to ${most}` }
}

function isWithin(value: number, most: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= most
}

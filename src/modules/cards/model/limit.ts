import type { Instant } from '#kernel/clock'
import type { Usage } from './usage.ts'

export const LIMIT_PERIODS = ['Transaction', 'Daily', 'Monthly', 'Lifetime'] as const
export type LimitPeriod = (typeof LIMIT_PERIODS)[number]

/** An Inactive limit counts usage and declines nothing. */
export const LIMIT_STATUSES = ['Active', 'Inactive'] as const
type LimitStatus = (typeof LIMIT_STATUSES)[number]

export interface CardLimit {
  readonly id: string
  readonly cardId: string
  readonly period: LimitPeriod
  readonly amountMinor: bigint
  readonly status: LimitStatus
  /** When it was created or last edited. Earlier approvals may exceed it. */
  readonly effectiveSince: Instant
}

export function usedAmount(period: LimitPeriod, usage: Usage): bigint {
  switch (period) {
    case 'Transaction':
      return 0n
    case 'Daily':
      return usage.daily.minor
    case 'Monthly':
      return usage.monthly.minor
    case 'Lifetime':
      return usage.lifetime.minor
  }
}

export const LIMIT_REASONS = {
  Transaction: 'limit_exceeded_transaction',
  Daily: 'limit_exceeded_daily',
  Monthly: 'limit_exceeded_monthly',
  Lifetime: 'limit_exceeded_lifetime',
} as const satisfies Record<LimitPeriod, string>
export type LimitReason = (typeof LIMIT_REASONS)[LimitPeriod]

export function exceededLimit(
  limits: readonly CardLimit[],
  usage: Usage,
  amountMinor: bigint,
): LimitReason | null {
  for (const period of LIMIT_PERIODS) {
    const limit = limits.find((candidate) => candidate.period === period && candidate.status === 'Active')
    if (limit !== undefined && usedAmount(period, usage) + amountMinor > limit.amountMinor) {
      return LIMIT_REASONS[period]
    }
  }
  return null
}

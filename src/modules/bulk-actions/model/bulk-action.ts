import type { Instant } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { BulkOptions } from './bulk-requests.ts'

export type TargetName = 'payments' | 'plans' | 'deliveries'

export const TARGET_AREAS = { payments: 'payments', plans: 'recurring', deliveries: 'webhooks' } as const
export const BULK_ACTION_STATES = ['pending', 'running', 'completed', 'canceled', 'stopped'] as const

export const STOP_REASONS = [
  'api_key_revoked',
  'api_key_expired',
  'scope_missing',
  'account_disabled',
  'not_a_member',
  'role_not_allowed',
] as const
export type StopReason = (typeof STOP_REASONS)[number]

export const BULK_ACTION_NAMES = ['refund', 'void', 'cancel', 'change', 'redeliver'] as const

/**
 * - `state`: `pending` while the filter is followed.
 * - `amounts`: Minor units by currency.
 */
export interface BulkAction {
  readonly id: string
  readonly target: TargetName
  readonly action: (typeof BULK_ACTION_NAMES)[number]
  readonly dryRun: boolean
  readonly state: (typeof BULK_ACTION_STATES)[number]
  readonly stopReason: StopReason | null
  readonly selection: Selection | null
  readonly options: BulkOptions
  readonly caller: Omit<Caller, 'idempotency'>
  readonly total: number
  readonly succeeded: number
  readonly failed: number
  readonly amounts: Amounts
  readonly createdAt: Instant
  readonly completedAt: Instant | null
}

interface Selection {
  readonly list: string
  readonly filter: string
  readonly cursor: string | null
}

export type CallerWith = (...parts: string[]) => Caller

export type Amounts = ReadonlyMap<string, bigint>

export interface BulkItem {
  readonly id: string
  readonly tries: number
}

export interface Failure {
  readonly id: string
  readonly reason: string
  readonly message: string
}

export interface BulkActionView {
  readonly action: BulkAction
  readonly failures: readonly Failure[]
}

export type ItemResult =
  | { readonly kind: 'succeeded'; readonly item: BulkItem; readonly amounts: Amounts }
  | { readonly kind: 'failed'; readonly item: BulkItem; readonly reason: string; readonly message: string }
  | { readonly kind: 'postponed'; readonly item: BulkItem; readonly until: Instant }

export function addAmounts(one: Amounts, other: Amounts): Amounts {
  const sum = new Map(one)
  for (const [currency, minor] of other) sum.set(currency, (sum.get(currency) ?? 0n) + minor)
  return sum
}

export function withoutKey({ idempotency: _unused, ...caller }: Caller): BulkAction['caller'] {
  return caller
}

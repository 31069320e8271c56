import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { BulkAction, Failure } from '../bulk-action.ts'

export function renderBulkAction(action: BulkAction, failures: readonly Failure[]): object {
  return { ...renderSummary(action), failures }
}

export function renderSummary(action: BulkAction): object {
  return {
    id: action.id,
    action: action.action,
    dry_run: action.dryRun,
    state: action.state,
    stop_reason: action.stopReason,
    total: action.total,
    succeeded: action.succeeded,
    failed: action.failed,
    amounts: [...action.amounts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([currency, minor]) => ({ currency, total: Money.ofMinor(currency, minor) })),
    created_at: toRfc3339(action.createdAt),
    completed_at: rfc3339OrNull(action.completedAt),
  }
}

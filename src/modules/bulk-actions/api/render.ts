import type { Static } from 'typebox'
import { rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import { byCreation, type PageRequest, renderPage } from '#platform/http/validation/list'
import type { BulkAction, BulkActionView } from '../model/bulk-action.ts'
import type { BulkActionData, BulkActionSummary } from './schemas.ts'

export function renderBulkActionData({ action, failures }: BulkActionView): Static<typeof BulkActionData> {
  return { bulk_action: { ...renderSummary(action), failures: [...failures] } }
}

export function renderBulkActionsPage(request: PageRequest, found: readonly BulkAction[]) {
  const { rows, page } = renderPage(request, found, byCreation, renderSummary)
  return { bulk_actions: rows, page }
}

function renderSummary(action: BulkAction): Static<typeof BulkActionSummary> {
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

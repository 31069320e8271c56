import { realClock } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { type BulkAction, type BulkActionView, type TargetName, withoutKey } from '../model/bulk-action.ts'
import type { BulkRequest } from '../model/bulk-requests.ts'
import type { BulkActionsContext } from '../context.ts'
import { errors } from '../errors.ts'
import { insertBulkAction } from '../storage/bulk-action.repository.ts'
import { insertItems } from '../storage/bulk-item.repository.ts'

export async function createBulkAction(
  ctx: BulkActionsContext,
  caller: Caller,
  target: TargetName,
  request: BulkRequest,
): Promise<BulkActionView> {
  const { ids, filter } = request
  if (ids === undefined && filter === undefined) {
    throw platformErrors.missing_member({
      param: 'bulk_action.ids',
      message: 'Send either bulk_action.ids or bulk_action.filter.',
    })
  }
  if (ids !== undefined && filter !== undefined) {
    throw errors.bulk_selection_invalid({ param: 'bulk_action.filter' })
  }
  if ((request.action === 'change') !== 'change' in request) {
    throw errors.bulk_options_invalid({ param: 'bulk_action.change' })
  }
  if (filter !== undefined) await ctx.targets[target].select(caller, { filter, cursor: null, limit: 1 })
  return once(ctx.db, caller, async (tx) => {
    const action = newBulkAction(tx, caller, target, request)
    const now = realClock.now()
    await insertBulkAction(tx, action, now)
    if (ids !== undefined) await insertItems(tx, action.id, ids, now)
    return { action, failures: [] }
  })
}

function newBulkAction(tx: Tx, caller: Caller, target: TargetName, request: BulkRequest): BulkAction {
  const { action, ids, filter, dry_run: dryRun = false, ...options } = request
  return {
    id: newId('blk'),
    target,
    action,
    dryRun,
    state: filter === undefined ? 'running' : 'pending',
    stopReason: null,
    selection: filter === undefined ? null : { list: target, filter, cursor: null },
    options,
    caller: withoutKey(caller),
    total: new Set(ids).size,
    succeeded: 0,
    failed: 0,
    amounts: new Map(),
    createdAt: tx.now,
    completedAt: null,
  }
}

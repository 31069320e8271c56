import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import type { BulkAction, BulkActionView, TargetName } from '../model/bulk-action.ts'
import type { BulkActionsContext } from '../context.ts'
import { errors } from '../errors.ts'
import { findBulkAction, listBulkActions } from '../storage/bulk-action.repository.ts'
import { failuresOf } from '../storage/bulk-item.repository.ts'

export async function bulkActionsOfPage(
  ctx: BulkActionsContext,
  { businessId }: Caller,
  target: TargetName,
  request: PageRequest,
): Promise<BulkAction[]> {
  return ctx.db.transact(businessId, (tx) => listBulkActions(tx, target, request), { isSnapshot: true })
}

export async function bulkActionById(
  ctx: BulkActionsContext,
  { businessId }: Caller,
  target: TargetName,
  id: string,
): Promise<BulkActionView> {
  return ctx.db.transact(
    businessId,
    async (tx) => {
      const [action, failures] = await Promise.all([findBulkAction(tx, target, id), failuresOf(tx, id)])
      if (action === undefined) throw errors.bulk_action_not_found()
      return { action, failures }
    },
    { isSnapshot: true },
  )
}

import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import { type BulkAction, type BulkActionView, type TargetName, withoutKey } from '../model/bulk-action.ts'
import type { BulkActionsContext } from '../context.ts'
import { errors } from '../errors.ts'
import { lockBulkAction, saveDecision } from '../storage/bulk-action.repository.ts'
import { failuresOf } from '../storage/bulk-item.repository.ts'

export async function cancelBulkAction(
  ctx: BulkActionsContext,
  caller: Caller,
  target: TargetName,
  id: string,
): Promise<BulkActionView> {
  return once(ctx.db, caller, async (tx) => {
    const action = await lockBulkAction(tx, id)
    if (action?.target !== target) throw errors.bulk_action_not_found()
    if (action.state === 'completed' || action.state === 'canceled') throw errors.bulk_action_ended()
    const canceled: BulkAction = { ...action, state: 'canceled', stopReason: null, completedAt: tx.now }
    await saveDecision(tx, canceled)
    return { action: canceled, failures: await failuresOf(tx, id) }
  })
}

export async function takeOverBulkAction(
  ctx: BulkActionsContext,
  caller: Caller,
  target: TargetName,
  id: string,
): Promise<BulkActionView> {
  return once(ctx.db, caller, async (tx) => {
    const action = await lockBulkAction(tx, id)
    if (action?.target !== target) throw errors.bulk_action_not_found()
    if (action.state !== 'stopped') throw errors.bulk_action_not_stopped()
    const resumed: BulkAction = {
      ...action,
      state: 'running',
      stopReason: null,
      // The idempotency keys of items belong to the app of the first caller, and their events to its request.
      caller: { ...withoutKey(caller), appId: action.caller.appId, requestId: action.caller.requestId },
      completedAt: null,
    }
    await saveDecision(tx, resumed)
    return { action: resumed, failures: await failuresOf(tx, id) }
  })
}

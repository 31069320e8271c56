import { realClock } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { addAmounts, type BulkAction, type ItemResult } from '../model/bulk-action.ts'
import { lockBulkAction, saveProgress } from '../storage/bulk-action.repository.ts'
import {
  deleteItems,
  earliestItem,
  lockPending,
  markFailed,
  MAX_FAILURES,
  postponeItems,
} from '../storage/bulk-item.repository.ts'

/** Counts each item once: a process whose lease has expired may have done the same items. */
export async function recordResults(
  tx: Tx,
  actionId: string,
  leaseId: string,
  results: readonly ItemResult[],
): Promise<void> {
  const action = await lockBulkAction(tx, actionId)
  if (action === undefined) throw new Error(`bulk action ${actionId} does not exist`)
  const pending = await lockPending(
    tx,
    actionId,
    results.map(({ item }) => item.id),
  )
  const counted = results.filter(({ item }) => pending.has(item.id))
  const failures = counted.flatMap((result) =>
    result.kind === 'failed' ? [{ id: result.item.id, reason: result.reason, message: result.message }] : [],
  )
  const kept = failures.slice(0, Math.max(0, MAX_FAILURES - action.failed))
  const done = [
    ...counted.flatMap((result) => (result.kind === 'succeeded' ? [result.item.id] : [])),
    ...failures.slice(kept.length).map(({ id }) => id),
  ]
  const postponed = counted.flatMap((result) =>
    result.kind === 'postponed' ? [{ id: result.item.id, until: result.until }] : [],
  )
  await deleteItems(tx, actionId, done)
  await markFailed(tx, actionId, kept)
  await postponeItems(tx, actionId, postponed)
  const next = await earliestItem(tx, actionId)
  const after = withResults(action, counted)
  const isOver = next === null && after.state === 'running'
  const ended: BulkAction = isOver ? { ...after, state: 'completed', completedAt: tx.now } : after
  await saveProgress(tx, ended, leaseId, ended.state === 'completed' ? null : (next ?? realClock.now()))
}

function withResults(action: BulkAction, counted: readonly ItemResult[]): BulkAction {
  let { succeeded, failed, amounts } = action
  for (const result of counted) {
    if (result.kind === 'failed') failed++
    if (result.kind !== 'succeeded') continue
    succeeded++
    amounts = addAmounts(amounts, result.amounts)
  }
  return { ...action, succeeded, failed, amounts }
}

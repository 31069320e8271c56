import { realClock } from '#kernel/clock'
import { Semaphore } from '#kernel/semaphore'
import type { Job, JobRun } from '#platform/jobs/jobs'
import { newLease } from '#platform/jobs/leases'
import type { Database } from '#platform/postgres/database'
import { type BulkAction, TARGET_AREAS } from '../model/bulk-action.ts'
import type { BulkActionsContext } from '../context.ts'
import { BULK_ACTIONS } from '../job-names.ts'
import {
  claimBulkAction,
  earliestBulkAction,
  lockBulkAction,
  markStopped,
  saveProgress,
} from '../storage/bulk-action.repository.ts'
import { deletePending, dueItems, insertItems } from '../storage/bulk-item.repository.ts'
import { BATCH_PLANS, changeSet, nextSet } from './change-plans.ts'
import { performItem } from './perform-item.ts'
import { recordResults } from './record-results.ts'

/** The largest page of a list. */
const SELECTED_AT_ONCE = 100
/** The number of reference/bulk-actions#run. */
export const CONCURRENT_ITEMS = 8
export const BATCH = 2 * CONCURRENT_ITEMS
/** A batch waits at most twice for an acquirer, 10 s each time. */
export const LEASE_MS = 30_000
const DELETED_AT_ONCE = 1_000

export function bulkJob(ctx: BulkActionsContext): Job {
  const { db } = ctx
  return {
    name: BULK_ACTIONS,
    clock: 'real',
    callsAcquirer: true,
    nextRunAt: earliestBulkAction,
    run: async (run) => {
      const { businessId, until } = run
      const lease = newLease(LEASE_MS)
      const leaseId = lease.id
      const action = await db.transact(businessId, (tx) => claimBulkAction(tx, until, lease))
      if (action === undefined) return 0
      if (action.state === 'canceled') await dropRest(db, action, leaseId)
      else if (action.state === 'pending') await selectPage(ctx, action, leaseId)
      else await performBatch(ctx, action, { leaseId, run })
      return 1
    },
  }
}

async function selectPage(
  { db, targets }: BulkActionsContext,
  action: BulkAction,
  leaseId: string,
): Promise<void> {
  const { selection, caller } = action
  if (selection === null) throw new Error(`bulk action ${action.id} has no filter to follow`)
  const { filter, cursor } = selection
  const { ids, nextCursor } = await targets[action.target].select(caller, {
    filter,
    cursor,
    limit: SELECTED_AT_ONCE,
  })
  await db.transact(caller.businessId, async (tx) => {
    const current = await lockBulkAction(tx, action.id)
    const now = realClock.now()
    if (current?.state !== 'pending' || current.selection?.cursor !== cursor) {
      return current && saveProgress(tx, current, leaseId, now)
    }
    const added = ids.length === 0 ? 0 : await insertItems(tx, action.id, ids, now)
    await saveProgress(
      tx,
      {
        ...current,
        state: nextCursor === null ? 'running' : 'pending',
        selection: { ...selection, cursor: nextCursor },
        total: current.total + added,
      },
      leaseId,
      now,
    )
  })
}

async function performBatch(
  ctx: BulkActionsContext,
  action: BulkAction,
  { leaseId, run }: { readonly leaseId: string; readonly run: JobRun },
): Promise<void> {
  const { db, log, lostRight, targets } = ctx
  const { businessId } = action.caller
  const { change } = action.options
  const limit = change === undefined ? BATCH : BATCH_PLANS
  const items = await db.transact(businessId, (tx) => dueItems(tx, action.id, realClock.now(), limit))
  const stopReason =
    items.length === 0 ? undefined : await lostRight(action.caller, `${TARGET_AREAS[action.target]}:write`)
  if (stopReason !== undefined) {
    await db.transact(businessId, (tx) => markStopped(tx, action.id, leaseId, stopReason))
    return
  }
  if (change !== undefined) {
    await changeSet(ctx, action, change, nextSet(items), leaseId)
    return
  }
  const places = new Semaphore(CONCURRENT_ITEMS)
  const target = targets[action.target]
  const results = await Promise.all(
    items.map((item) =>
      places.run(async () =>
        run.isStopping?.() === true ? [] : [await performItem(target, action, item, log)],
      ),
    ),
  )
  await db.transact(businessId, (tx) => recordResults(tx, action.id, leaseId, results.flat()))
}

async function dropRest(db: Database, action: BulkAction, leaseId: string): Promise<void> {
  await db.transact(action.caller.businessId, async (tx) => {
    const current = await lockBulkAction(tx, action.id)
    if (current === undefined) return
    const deleted = await deletePending(tx, action.id, DELETED_AT_ONCE)
    await saveProgress(tx, current, leaseId, deleted < DELETED_AT_ONCE ? null : realClock.now())
  })
}

import sql, { type Sql } from 'sql-template-tag'
import { type Instant, realClock, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { scheduleJob } from '#platform/jobs/jobs'
import { claimRows, dueBy, endLeases, type Lease, leasedTable } from '#platform/jobs/leases'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { composed, json, table, WHOLE } from '#platform/postgres/table'
import type { Amounts, BulkAction, StopReason, TargetName } from '../model/bulk-action.ts'
import { BULK_ACTIONS } from '../job-names.ts'

const AMOUNTS = {
  type: 'json',
  read: (stored: string): Amounts =>
    new Map(
      Object.entries(JSON.parse(stored) as Record<string, string>).map(([currency, minor]) => [
        currency,
        BigInt(minor),
      ]),
    ),
  write: (amounts: Amounts): string =>
    JSON.stringify(Object.fromEntries([...amounts].map(([currency, minor]) => [currency, minor.toString()]))),
} as const

const STORED = table<BulkAction>('r', {
  id: 'text',
  target: 'text',
  action: 'text',
  dryRun: 'boolean',
  state: 'text',
  stopReason: 'text',
  selection: composed(
    ['list', 'filter', 'selection_cursor'],
    (list: string | null, filter: string | null, cursor: string | null) =>
      list === null || filter === null ? null : { list, filter, cursor },
    {
      list: ['text', (selection) => selection?.list ?? null],
      filter: ['text', (selection) => selection?.filter ?? null],
      selection_cursor: ['text', (selection) => selection?.cursor ?? null],
    },
  ),
  options: json(),
  caller: json(),
  total: WHOLE,
  succeeded: WHOLE,
  failed: WHOLE,
  amounts: AMOUNTS,
  createdAt: 'timestamptz',
  completedAt: 'timestamptz',
})

const CHANGED = STORED.only('state', 'total', 'succeeded', 'failed', 'amounts', 'completedAt')

const TABLE = leasedTable('bulk_actions', { key: ['id'], movesDueTime: true })

export async function insertBulkAction(tx: Tx, action: BulkAction, dueAt: Instant): Promise<void> {
  await tx.execute(sql`
    insert into bulk_actions ${STORED.values(tx.businessId, [action], { due_at: toRfc3339(dueAt) })}`)
  await scheduleJob(tx, BULK_ACTIONS, dueAt, 'real')
}

export async function listBulkActions(tx: Tx, target: TargetName, page: PageRequest): Promise<BulkAction[]> {
  const rows = await tx.query(sql`
    select ${STORED.columns} from bulk_actions r
     where r.business_id = ${tx.businessId} and r.target = ${target}
     ${rowsOfPage(page, sql`r.created_at`, sql`r.id`)}`)
  return rows.map(STORED.read)
}

export function findBulkAction(tx: Tx, target: TargetName, id: string): Promise<BulkAction | undefined> {
  return findOne(tx, sql`r.target = ${target} and r.id = ${id}`)
}

export function lockBulkAction(tx: Tx, id: string): Promise<BulkAction | undefined> {
  return findOne(tx, sql`r.id = ${id} for update`)
}

async function findOne(tx: Tx, condition: Sql): Promise<BulkAction | undefined> {
  const [row] = await tx.query(sql`
    select ${STORED.columns} from bulk_actions r where r.business_id = ${tx.businessId} and ${condition}`)
  return row && STORED.read(row)
}

export async function claimBulkAction(tx: Tx, until: Instant, lease: Lease): Promise<BulkAction | undefined> {
  const [row] = await claimRows(tx, TABLE, {
    where: dueBy(until),
    limit: 1,
    lease,
    returning: STORED.columns,
  })
  return row && STORED.read(row)
}

/** Saves the progress. The lease ends if it is still ours; `dueAt` is when the next batch is due, or null at the end. */
export async function saveProgress(
  tx: Tx,
  action: BulkAction,
  leaseId: string,
  dueAt: Instant | null,
): Promise<void> {
  const isOurs = sql`lease_id is not distinct from ${leaseId}`
  await tx.execute(sql`
    update bulk_actions
       set ${CHANGED.set(action)}, selection_cursor = ${action.selection?.cursor ?? null},
           due_at = case when ${isOurs} then ${rfc3339OrNull(dueAt)}::timestamptz else due_at end,
           leased_until = case when ${isOurs} then null else leased_until end,
           lease_id = case when ${isOurs} then null else lease_id end
     where business_id = ${tx.businessId} and id = ${action.id}`)
  if (dueAt !== null) await scheduleJob(tx, BULK_ACTIONS, dueAt, 'real')
}

/** Only the process that holds the lease stops the action: another one may have been given it since. */
export async function markStopped(tx: Tx, id: string, leaseId: string, reason: StopReason): Promise<void> {
  await tx.execute(sql`
    update bulk_actions
       set state = 'stopped', stop_reason = ${reason}, completed_at = ${toRfc3339(tx.now)},
           due_at = null, leased_until = null, lease_id = null
     where business_id = ${tx.businessId} and id = ${id} and state = 'running' and lease_id = ${leaseId}`)
}

/** Saves an action that was canceled or taken over. One that was stopped is due again. */
export async function saveDecision(tx: Tx, action: BulkAction): Promise<void> {
  const now = realClock.now()
  await tx.execute(sql`
    update bulk_actions
       set state = ${action.state}, stop_reason = ${action.stopReason}, caller = ${JSON.stringify(action.caller)},
           completed_at = ${rfc3339OrNull(action.completedAt)}, due_at = coalesce(due_at, ${toRfc3339(now)})
     where business_id = ${tx.businessId} and id = ${action.id}`)
  await scheduleJob(tx, BULK_ACTIONS, now, 'real')
}

export async function stoppedBulkActions(
  tx: Tx,
  limit: number,
): Promise<{ id: string; action: string; stoppedAt: Instant }[]> {
  return tx.query(sql`
    select id, action, completed_at as "stoppedAt" from bulk_actions
     where business_id = ${tx.businessId} and state = 'stopped' and not dry_run
     order by completed_at limit ${limit}`)
}

export function earliestBulkAction(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`bulk_actions`, sql`due_at`)
}

export const END_BULK_ACTION_LEASES = endLeases(BULK_ACTIONS, TABLE, sql`now()`)

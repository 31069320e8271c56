import sql, { type Sql } from 'sql-template-tag'
import { type Instant, realClock, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { scheduleJob } from '#platform/jobs/jobs'
import { claimRows, dueBy, endLeases, type Lease, type LeasedTable } from '#platform/jobs/leases'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import type { Amounts, BulkAction, BulkOptions, StopReason, TargetName } from '../model/bulk-action.ts'
import { BULK_ACTIONS } from '../job-names.ts'

interface BulkActionRow {
  id: string
  target: TargetName
  action: BulkAction['action']
  dry_run: boolean
  state: BulkAction['state']
  stop_reason: StopReason | null
  list: string | null
  filter: string | null
  selection_cursor: string | null
  options: string
  caller: string
  total: bigint
  succeeded: bigint
  failed: bigint
  amounts: string
  created_at: Instant
  completed_at: Instant | null
}

const TABLE: LeasedTable = { name: sql`bulk_actions`, key: sql`id` }

const COLUMNS = sql`r.id, r.target, r.action, r.dry_run, r.state, r.stop_reason, r.list, r.filter, r.selection_cursor, r.options, r.caller,
  r.total, r.succeeded, r.failed, r.amounts, r.created_at, r.completed_at`

export async function insertBulkAction(tx: Tx, action: BulkAction, dueAt: Instant): Promise<void> {
  await tx.execute(sql`
    insert into bulk_actions (business_id, id, target, action, dry_run, state, list, filter, options, caller, total, due_at,
                              created_at)
    values (${tx.businessId}, ${action.id}, ${action.target}, ${action.action}, ${action.dryRun}, ${action.state},
            ${action.selection?.list ?? null}, ${action.selection?.filter ?? null}, ${JSON.stringify(action.options)},
            ${JSON.stringify(action.caller)}, ${action.total}, ${toRfc3339(dueAt)}, ${toRfc3339(action.createdAt)})`)
  await scheduleJob(tx, BULK_ACTIONS, dueAt, 'real')
}

export async function listBulkActions(tx: Tx, target: TargetName, page: PageRequest): Promise<BulkAction[]> {
  const rows = await tx.query<BulkActionRow>(sql`
    select ${COLUMNS} from bulk_actions r
     where r.business_id = ${tx.businessId} and r.target = ${target}
     ${rowsOfPage(page, sql`r.created_at`, sql`r.id`)}`)
  return rows.map(toBulkAction)
}

export function findBulkAction(tx: Tx, target: TargetName, id: string): Promise<BulkAction | undefined> {
  return findOne(tx, sql`r.target = ${target} and r.id = ${id}`)
}

export function lockBulkAction(tx: Tx, id: string): Promise<BulkAction | undefined> {
  return findOne(tx, sql`r.id = ${id} for update`)
}

async function findOne(tx: Tx, condition: Sql): Promise<BulkAction | undefined> {
  const [row] = await tx.query<BulkActionRow>(sql`
    select ${COLUMNS} from bulk_actions r where r.business_id = ${tx.businessId} and ${condition}`)
  return row && toBulkAction(row)
}

export async function claimBulkAction(tx: Tx, until: Instant, lease: Lease): Promise<BulkAction | undefined> {
  const [row] = await claimRows<BulkActionRow>(tx, TABLE, {
    where: dueBy(until),
    limit: 1,
    lease,
    set: [sql`lease_id = ${lease.id}`, sql`due_at = ${toRfc3339(lease.until)}`],
    returning: COLUMNS,
  })
  return row && toBulkAction(row)
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
       set state = ${action.state}, selection_cursor = ${action.selection?.cursor ?? null}, total = ${action.total},
           succeeded = ${action.succeeded}, failed = ${action.failed}, amounts = ${storedAmounts(action.amounts)},
           completed_at = ${rfc3339OrNull(action.completedAt)},
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

function storedAmounts(amounts: Amounts): string {
  return JSON.stringify(
    Object.fromEntries([...amounts].map(([currency, minor]) => [currency, minor.toString()])),
  )
}

function toBulkAction(row: BulkActionRow): BulkAction {
  const amounts = JSON.parse(row.amounts) as Record<string, string>
  return {
    id: row.id,
    target: row.target,
    action: row.action,
    dryRun: row.dry_run,
    state: row.state,
    stopReason: row.stop_reason,
    selection:
      row.list === null || row.filter === null
        ? null
        : { list: row.list, filter: row.filter, cursor: row.selection_cursor },
    options: JSON.parse(row.options) as BulkOptions,
    caller: JSON.parse(row.caller) as Caller,
    total: Number(row.total),
    succeeded: Number(row.succeeded),
    failed: Number(row.failed),
    amounts: new Map(Object.entries(amounts).map(([currency, minor]) => [currency, BigInt(minor)])),
    createdAt: row.created_at,
    completedAt: row.completed_at,
  }
}

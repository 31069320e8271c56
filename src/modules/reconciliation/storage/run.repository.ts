import sql from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { RECONCILIATIONS } from '../job-names.ts'

export const PHASES = ['payouts', 'lines', 'entries', 'rechecks', 'movements', 'lost_disputes'] as const
export type Phase = (typeof PHASES)[number]

export interface Movement {
  readonly succeededAt: Instant
  readonly id: string
}

export interface Run {
  readonly accountId: string
  /** Real time. Each step moves it, so it also identifies the current worker. */
  readonly dueAt: Instant
  readonly phase: Phase | null
  readonly cursor: string | null
  readonly connectedAt: Instant
  readonly startedAt: Instant | null
  readonly completedRun: Instant | null
  readonly attempts: number
  readonly problem: string | null
  readonly lastMovement: Movement | null
  readonly movementsUntil: Instant | null
}

interface RunRow {
  account_id: string
  due_at: Instant
  phase: Phase | null
  cursor: string | null
  connected_at: Instant
  started_at: Instant | null
  completed_run: Instant | null
  attempts: number
  problem: string | null
  movements_at: Instant | null
  movements_id: string | null
  movements_until: Instant | null
}

const COLUMNS = sql`r.account_id, r.due_at, r.phase, r.cursor, r.connected_at, r.started_at, r.completed_run, r.attempts,
  r.problem, r.movements_at, r.movements_id, r.movements_until`

export async function insertRun(
  tx: Tx,
  accountId: string,
  connectedAt: Instant,
  dueAt: Instant,
): Promise<void> {
  await tx.execute(sql`
    insert into reconciliation_runs (business_id, account_id, due_at, connected_at)
    values (${tx.businessId}, ${accountId}, ${toRfc3339(dueAt)}, ${toRfc3339(connectedAt)})
    on conflict (business_id, account_id) do nothing`)
  await scheduleJob(tx, RECONCILIATIONS, dueAt, 'real')
}

export async function expediteRuns(tx: Tx, accountIds: readonly string[], now: Instant): Promise<Run[]> {
  await tx.execute(sql`
    update reconciliation_runs set due_at = ${toRfc3339(now)}
     where business_id = ${tx.businessId} and account_id = any(${[...accountIds]}) and phase is null
       and due_at > ${toRfc3339(now)}`)
  await scheduleJob(tx, RECONCILIATIONS, now, 'real')
  const rows = await tx.query<RunRow>(sql`
    select ${COLUMNS} from reconciliation_runs r
     where r.business_id = ${tx.businessId} and r.account_id = any(${[...accountIds]}) order by r.account_id`)
  return rows.map(toRun)
}

export async function claimRun(
  tx: Tx,
  claim: { readonly until: Instant; readonly busyUntil: Instant },
): Promise<Run | undefined> {
  const [row] = await tx.query<RunRow>(sql`
    with due as materialized (
      select account_id from reconciliation_runs
       where business_id = ${tx.businessId} and due_at <= ${toRfc3339(claim.until)}
       order by due_at limit 1 for update skip locked)
    update reconciliation_runs r set due_at = ${toRfc3339(claim.busyUntil)}
      from due
     where r.business_id = ${tx.businessId} and r.account_id = due.account_id
    returning ${COLUMNS}`)
  return row && toRun(row)
}

export async function saveRun(tx: Tx, held: Run, next: Run): Promise<boolean> {
  const saved = await tx.execute(sql`
    update reconciliation_runs
       set due_at = ${toRfc3339(next.dueAt)}, phase = ${next.phase}, cursor = ${next.cursor},
           started_at = ${rfc3339OrNull(next.startedAt)}, completed_run = ${rfc3339OrNull(next.completedRun)},
           attempts = ${next.attempts}, problem = ${next.problem},
           movements_at = ${rfc3339OrNull(next.lastMovement?.succeededAt)}, movements_id = ${next.lastMovement?.id ?? null},
           movements_until = ${rfc3339OrNull(next.movementsUntil)}
     where business_id = ${tx.businessId} and account_id = ${held.accountId} and due_at = ${toRfc3339(held.dueAt)}`)
  return saved === 1
}

export async function deleteRun(tx: Tx, { accountId, dueAt }: Run): Promise<void> {
  await tx.execute(sql`
    delete from reconciliation_runs
     where business_id = ${tx.businessId} and account_id = ${accountId} and due_at = ${toRfc3339(dueAt)}`)
}

function toRun(row: RunRow): Run {
  return {
    accountId: row.account_id,
    dueAt: row.due_at,
    phase: row.phase,
    cursor: row.cursor,
    connectedAt: row.connected_at,
    startedAt: row.started_at,
    completedRun: row.completed_run,
    attempts: row.attempts,
    problem: row.problem,
    lastMovement:
      row.movements_at === null || row.movements_id === null
        ? null
        : { succeededAt: row.movements_at, id: row.movements_id },
    movementsUntil: row.movements_until,
  }
}

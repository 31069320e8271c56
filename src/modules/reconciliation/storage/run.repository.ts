import sql from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { composed, table } from '#platform/postgres/table'
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

const RUNS = table<Run>('r', {
  accountId: 'text',
  dueAt: 'timestamptz',
  phase: 'text',
  cursor: 'text',
  connectedAt: 'timestamptz',
  startedAt: 'timestamptz',
  completedRun: 'timestamptz',
  attempts: 'integer',
  problem: 'text',
  lastMovement: composed(
    ['movements_at', 'movements_id'],
    (succeededAt: Instant | null, id: string | null) =>
      succeededAt === null || id === null ? null : { succeededAt, id },
    {
      movements_at: ['timestamptz', (movement) => rfc3339OrNull(movement?.succeededAt)],
      movements_id: ['text', (movement) => movement?.id ?? null],
    },
  ),
  movementsUntil: 'timestamptz',
})

const CHANGED = RUNS.without('accountId', 'connectedAt')

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
  const rows = await tx.query(sql`
    select ${RUNS.columns} from reconciliation_runs r
     where r.business_id = ${tx.businessId} and r.account_id = any(${[...accountIds]}) order by r.account_id`)
  return rows.map(RUNS.read)
}

export async function claimRun(
  tx: Tx,
  claim: { readonly until: Instant; readonly busyUntil: Instant },
): Promise<Run | undefined> {
  const [row] = await tx.query(sql`
    with due as materialized (
      select account_id from reconciliation_runs
       where business_id = ${tx.businessId} and due_at <= ${toRfc3339(claim.until)}
       order by due_at limit 1 for update skip locked)
    update reconciliation_runs r set due_at = ${toRfc3339(claim.busyUntil)}
      from due
     where r.business_id = ${tx.businessId} and r.account_id = due.account_id
    returning ${RUNS.columns}`)
  return row && RUNS.read(row)
}

export async function saveRun(tx: Tx, held: Run, next: Run): Promise<boolean> {
  const saved = await tx.execute(sql`
    update reconciliation_runs set ${CHANGED.set(next)}
     where business_id = ${tx.businessId} and account_id = ${held.accountId} and due_at = ${toRfc3339(held.dueAt)}`)
  return saved === 1
}

export async function deleteRun(tx: Tx, { accountId, dueAt }: Run): Promise<void> {
  await tx.execute(sql`
    delete from reconciliation_runs
     where business_id = ${tx.businessId} and account_id = ${accountId} and due_at = ${toRfc3339(dueAt)}`)
}

import sql, { empty } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import {
  claimRows,
  dueBy,
  endLeases,
  isFree,
  isHeldUnder,
  type Lease,
  leasedTable,
} from '#platform/jobs/leases'
import { type Renewal, renewalOfRows } from '#platform/jobs/renewals'
import type { Database, Tx } from '#platform/postgres/database'
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
  /** On the real clock; while the run is leased, the end of the lease. */
  readonly dueAt: Instant
  readonly leaseId: string | null
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
  leaseId: 'text',
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

const PROGRESS = RUNS.without('accountId', 'connectedAt', 'dueAt', 'leaseId')
const TABLE = leasedTable('reconciliation_runs', { key: ['account_id'], movesDueTime: true })

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
       and due_at > ${toRfc3339(now)} and ${isFree(now)}`)
  await scheduleJob(tx, RECONCILIATIONS, now, 'real')
  const rows = await tx.query(sql`
    select ${RUNS.columns} from reconciliation_runs r
     where r.business_id = ${tx.businessId} and r.account_id = any(${[...accountIds]}) order by r.account_id`)
  return rows.map(RUNS.read)
}

export async function claimRun(tx: Tx, until: Instant, lease: Lease): Promise<Run | undefined> {
  const claim = { where: dueBy(until), limit: 1, lease, returning: RUNS.columns }
  const [row] = await claimRows(tx, TABLE, claim)
  return row && RUNS.read(row)
}

export function renewalOfRun(
  db: Database,
  businessId: string,
  { accountId, leaseId }: Run,
  leaseMs: number,
): Renewal {
  return renewalOfRows(db, businessId, TABLE, [{ key: accountId, leaseId }], leaseMs)
}

/**
 * Saves the progress of a leased run. Returns false if the lease is not ours any more.
 * @param dueAt ends the lease; null while the run goes on
 */
export async function saveRun(tx: Tx, run: Run, dueAt: Instant | null): Promise<boolean> {
  const end =
    dueAt === null ? empty : sql`, due_at = ${toRfc3339(dueAt)}, leased_until = null, lease_id = null`
  const saved = await tx.execute(sql`
    update reconciliation_runs set ${PROGRESS.set(run)}${end}
     where business_id = ${tx.businessId} and account_id = ${run.accountId} and ${isHeldUnder(run.leaseId)}`)
  return saved === 1
}

export async function deleteRun(tx: Tx, { accountId, leaseId }: Run): Promise<void> {
  await tx.execute(sql`
    delete from reconciliation_runs
     where business_id = ${tx.businessId} and account_id = ${accountId} and ${isHeldUnder(leaseId)}`)
}

export const END_RUN_LEASES = endLeases(RECONCILIATIONS, TABLE, sql`now()`)

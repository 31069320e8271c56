import sql from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import { claimRows, dueBy, endLeases, isHeldUnder, type Lease, leasedTable } from '#platform/jobs/leases'
import { type Renewal, renewalOfRows } from '#platform/jobs/renewals'
import type { Database, Tx } from '#platform/postgres/database'
import { table } from '#platform/postgres/table'
import { SCANS } from '../job-names.ts'

export interface Scan {
  readonly accountId: string
  readonly openedAfter: Instant | null
  readonly cursor: string | null
  readonly leaseId: string
}

const STORED = table<Scan>('r', {
  accountId: 'text',
  openedAfter: 'timestamptz',
  cursor: 'text',
  leaseId: 'text',
})
const TABLE = leasedTable('dispute_scans', { key: ['account_id'], movesDueTime: true })

export async function startScans(tx: Tx, accountId: string, dueAt: Instant): Promise<void> {
  await tx.execute(sql`
    insert into dispute_scans (business_id, account_id, due_at)
    values (${tx.businessId}, ${accountId}, ${toRfc3339(dueAt)})
    on conflict (business_id, account_id) do update set due_at = least(dispute_scans.due_at, excluded.due_at)`)
  await scheduleJob(tx, SCANS, dueAt, 'real')
}

export async function claimScan(tx: Tx, until: Instant, lease: Lease): Promise<Scan | undefined> {
  const claim = { where: dueBy(until), limit: 1, lease, returning: STORED.columns }
  const [row] = await claimRows(tx, TABLE, claim)
  return row && STORED.read(row)
}

export function renewalOfScan(
  db: Database,
  businessId: string,
  { accountId, leaseId }: Scan,
  leaseMs: number,
): Renewal {
  return renewalOfRows(db, businessId, TABLE, [{ key: accountId, leaseId }], leaseMs)
}

/** Saves where the search goes on, and ends the lease. Returns false if it is not ours any more. */
export async function saveScan(
  tx: Tx,
  { accountId, openedAfter, cursor, leaseId }: Scan,
  dueAt: Instant,
): Promise<boolean> {
  const saved = await tx.execute(sql`
    update dispute_scans
       set opened_after = ${rfc3339OrNull(openedAfter)}, cursor = ${cursor}, due_at = ${toRfc3339(dueAt)},
           leased_until = null, lease_id = null
     where business_id = ${tx.businessId} and account_id = ${accountId} and ${isHeldUnder(leaseId)}`)
  return saved === 1
}

export async function endScans(tx: Tx, { accountId, leaseId }: Scan): Promise<void> {
  await tx.execute(sql`
    delete from dispute_scans
     where business_id = ${tx.businessId} and account_id = ${accountId} and ${isHeldUnder(leaseId)}`)
}

export const END_SCAN_LEASES = endLeases(SCANS, TABLE, sql`now()`)

import sql from 'sql-template-tag'
import { type Instant, realClock, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import { claimRows, dueBy, endLeases, isHeldUnder, type Lease, leasedTable } from '#platform/jobs/leases'
import { type Renewal, renewalOfRows } from '#platform/jobs/renewals'
import type { Database, Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import { table } from '#platform/postgres/table'
import { REFRESHES } from '../job-names.ts'

/** A dispute to ask the acquirer about. A notice that comes meanwhile takes it from its holder. */
export interface Refresh {
  readonly accountId: string
  readonly reference: string
  readonly attempts: number
  readonly leaseId: string
}

const STORED = table<Refresh>('r', {
  accountId: 'text',
  reference: 'text',
  attempts: 'integer',
  leaseId: 'text',
})
const TABLE = leasedTable('dispute_refreshes', { key: ['account_id', 'reference'], movesDueTime: true })

const references = rowsAs<string>('given', { reference: ['text', (reference) => reference] })

export function scheduleRefresh(tx: Tx, accountId: string, reference: string): Promise<void> {
  return scheduleRefreshes(tx, accountId, [reference])
}

export async function scheduleRefreshes(tx: Tx, accountId: string, given: readonly string[]): Promise<void> {
  if (given.length === 0) return
  const now = realClock.now()
  await tx.execute(sql`
    insert into dispute_refreshes (business_id, account_id, reference, due_at)
    select ${tx.businessId}, ${accountId}, given.reference, ${toRfc3339(now)}::timestamptz
      from (select distinct reference from ${references(given)}) given
    on conflict (business_id, account_id, reference) do update
       set due_at = excluded.due_at, attempts = 0, leased_until = null`)
  await scheduleJob(tx, REFRESHES, now, 'real')
}

export async function scheduleOldOpenDisputes(
  tx: Tx,
  accountId: string,
  openedBefore: Instant,
): Promise<void> {
  const rows = await tx.query<{ reference: string }>(sql`
    select reference from disputes
     where business_id = ${tx.businessId} and account_id = ${accountId}
       and created_at < ${toRfc3339(openedBefore)} and state not in ('won', 'lost', 'inquiry_closed')`)
  await scheduleRefreshes(
    tx,
    accountId,
    rows.map(({ reference }) => reference),
  )
}

export async function claimRefreshes(
  tx: Tx,
  claim: { readonly until: Instant; readonly limit: number; readonly lease: Lease },
): Promise<Refresh[]> {
  const { until, limit, lease } = claim
  const rows = await claimRows(tx, TABLE, { where: dueBy(until), limit, lease, returning: STORED.columns })
  return rows.map(STORED.read)
}

export function renewalOfRefreshes(
  db: Database,
  businessId: string,
  claimed: readonly Refresh[],
  leaseMs: number,
): Renewal {
  const held = claimed.map(({ accountId, reference, leaseId }) => ({ key: [accountId, reference], leaseId }))
  return renewalOfRows(db, businessId, TABLE, held, leaseMs)
}

export async function finishRefresh(tx: Tx, { accountId, reference, leaseId }: Refresh): Promise<void> {
  await tx.execute(sql`
    delete from dispute_refreshes
     where business_id = ${tx.businessId} and account_id = ${accountId} and reference = ${reference}
       and ${isHeldUnder(leaseId)}`)
}

export async function postponeRefresh(
  tx: Tx,
  { accountId, reference, leaseId }: Refresh,
  until: Instant,
): Promise<void> {
  await tx.execute(sql`
    update dispute_refreshes
       set due_at = ${toRfc3339(until)}, attempts = attempts + 1, leased_until = null, lease_id = null
     where business_id = ${tx.businessId} and account_id = ${accountId} and reference = ${reference}
       and ${isHeldUnder(leaseId)}`)
}

export const END_REFRESH_LEASES = endLeases(REFRESHES, TABLE, sql`now()`)

import sql from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { SCANS } from '../job-names.ts'

export interface Scan {
  readonly accountId: string
  readonly openedAfter: Instant | null
  readonly cursor: string | null
  readonly dueAt: Instant
}

interface ScanRow {
  account_id: string
  opened_after: Instant | null
  cursor: string | null
  due_at: Instant
}

export async function startScans(tx: Tx, accountId: string, dueAt: Instant): Promise<void> {
  await tx.execute(sql`
    insert into dispute_scans (business_id, account_id, due_at)
    values (${tx.businessId}, ${accountId}, ${toRfc3339(dueAt)})
    on conflict (business_id, account_id) do update set due_at = least(dispute_scans.due_at, excluded.due_at)`)
  await scheduleJob(tx, SCANS, dueAt, 'real')
}

export async function claimScan(
  tx: Tx,
  claim: { readonly until: Instant; readonly busyUntil: Instant },
): Promise<Scan | undefined> {
  const [row] = await tx.query<ScanRow>(sql`
    with due as materialized (
      select account_id from dispute_scans
       where business_id = ${tx.businessId} and due_at <= ${toRfc3339(claim.until)}
       order by due_at limit 1 for update skip locked)
    update dispute_scans s set due_at = ${toRfc3339(claim.busyUntil)}
      from due
     where s.business_id = ${tx.businessId} and s.account_id = due.account_id
    returning s.account_id, s.opened_after, s.cursor, s.due_at`)
  return (
    row && { accountId: row.account_id, openedAfter: row.opened_after, cursor: row.cursor, dueAt: row.due_at }
  )
}

export async function saveScan(tx: Tx, claimed: Scan, next: Scan): Promise<boolean> {
  const saved = await tx.execute(sql`
    update dispute_scans
       set opened_after = ${rfc3339OrNull(next.openedAfter)}, cursor = ${next.cursor}, due_at = ${toRfc3339(next.dueAt)}
     where business_id = ${tx.businessId} and account_id = ${claimed.accountId}
       and due_at = ${toRfc3339(claimed.dueAt)}`)
  return saved === 1
}

export async function endScans(tx: Tx, claimed: Scan): Promise<void> {
  await tx.execute(sql`
    delete from dispute_scans
     where business_id = ${tx.businessId} and account_id = ${claimed.accountId}
       and due_at = ${toRfc3339(claimed.dueAt)}`)
}

import sql from 'sql-template-tag'
import { type Instant, realClock, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import { REFRESHES } from '../job-names.ts'

/** A dispute to ask the acquirer about. `dueAt` names the claim: a notice that comes meanwhile moves it. */
export interface Refresh {
  readonly accountId: string
  readonly reference: string
  readonly attempts: number
  readonly dueAt: Instant
}

interface RefreshRow {
  account_id: string
  reference: string
  attempts: number
  due_at: Instant
}

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
    on conflict (business_id, account_id, reference) do update set due_at = excluded.due_at, attempts = 0`)
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
  claim: { readonly until: Instant; readonly busyUntil: Instant; readonly limit: number },
): Promise<Refresh[]> {
  const rows = await tx.query<RefreshRow>(sql`
    with due as materialized (
      select account_id, reference from dispute_refreshes
       where business_id = ${tx.businessId} and due_at <= ${toRfc3339(claim.until)}
       order by due_at limit ${claim.limit} for update skip locked)
    update dispute_refreshes r set due_at = ${toRfc3339(claim.busyUntil)}
      from due
     where r.business_id = ${tx.businessId} and r.account_id = due.account_id and r.reference = due.reference
    returning r.account_id, r.reference, r.attempts, r.due_at`)
  return rows.map((row) => ({
    accountId: row.account_id,
    reference: row.reference,
    attempts: row.attempts,
    dueAt: row.due_at,
  }))
}

export async function finishRefresh(tx: Tx, { accountId, reference, dueAt }: Refresh): Promise<void> {
  await tx.execute(sql`
    delete from dispute_refreshes
     where business_id = ${tx.businessId} and account_id = ${accountId} and reference = ${reference}
       and due_at = ${toRfc3339(dueAt)}`)
}

export async function postponeRefresh(
  tx: Tx,
  { accountId, reference, dueAt }: Refresh,
  until: Instant,
): Promise<void> {
  await tx.execute(sql`
    update dispute_refreshes set due_at = ${toRfc3339(until)}, attempts = attempts + 1
     where business_id = ${tx.businessId} and account_id = ${accountId} and reference = ${reference}
       and due_at = ${toRfc3339(dueAt)}`)
}

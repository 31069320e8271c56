import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { INSTRUMENT_REFRESH } from '../job-names.ts'

export async function scheduleRefresh(
  tx: Tx,
  accountId: string,
  acquirerToken: string,
  at: Instant,
): Promise<void> {
  const changed = await tx.execute(sql`
    update payment_tokens set refresh_due_at = ${toRfc3339(at)}
     where business_id = ${tx.businessId} and acquirer_account_id = ${accountId}
       and acquirer_token = ${acquirerToken} and state = 'active'`)
  if (changed > 0) await scheduleJob(tx, INSTRUMENT_REFRESH, at)
}

export async function findTokensToRefresh(tx: Tx, until: Instant, limit: number): Promise<string[]> {
  const rows = await tx.query<{ token: string }>(sql`
    select token from payment_tokens
     where business_id = ${tx.businessId} and refresh_due_at <= ${toRfc3339(until)}
     order by refresh_due_at, token limit ${limit}`)
  return rows.map((row) => row.token)
}

export async function endRefresh(tx: Tx, token: string, retryAt: Instant | null): Promise<void> {
  await tx.execute(sql`
    update payment_tokens set refresh_due_at = ${retryAt && toRfc3339(retryAt)}
     where business_id = ${tx.businessId} and token = ${token}`)
  if (retryAt !== null) await scheduleJob(tx, INSTRUMENT_REFRESH, retryAt)
}

export function nextRefreshAt(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`payment_tokens`, sql`refresh_due_at`)
}

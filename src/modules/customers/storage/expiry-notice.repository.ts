import sql from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { rowsAs } from '#platform/postgres/rows'

interface NoticeTime {
  readonly token: string
  readonly noticeAt: Instant | null
}

const noticeTimes = rowsAs<NoticeTime>('n', {
  token: ['text', (n) => n.token],
  notice_at: ['timestamptz', (n) => rfc3339OrNull(n.noticeAt)],
})

export async function setNoticeTimes(tx: Tx, times: readonly NoticeTime[]): Promise<void> {
  if (times.length === 0) return
  await tx.execute(sql`
    update payment_tokens t set expiry_notice_at = n.notice_at
      from ${noticeTimes(times)}
     where t.business_id = ${tx.businessId} and t.token = n.token
       and t.expiry_notice_at is distinct from n.notice_at`)
}

export function lockDueNotices(
  tx: Tx,
  until: Instant,
  limit: number,
): Promise<{ token: string; noticeAt: Instant }[]> {
  return tx.query(sql`
    select token, expiry_notice_at as "noticeAt" from payment_tokens
     where business_id = ${tx.businessId} and expiry_notice_at <= ${toRfc3339(until)}
     order by expiry_notice_at, token limit ${limit}
       for no key update skip locked`)
}

export function nextExpiryNoticeAt(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`payment_tokens`, sql`expiry_notice_at`)
}

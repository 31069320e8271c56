import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import type { Notice, NoticeSubject } from '../port/notices.ts'

export interface StoredNotice extends Notice {
  readonly accountId: string
  readonly receivedAt: Instant
}

export interface DueNotice {
  readonly accountId: string
  readonly id: string
}

export interface ChargeAtAccount {
  readonly accountId: string
  readonly key: string
}

interface NoticeRow {
  account_id: string
  id: string
  type: string
  subject_kind: NoticeSubject['kind']
  subject_reference: string
  subject_key: string | null
  facts: string
  received_at: Instant
}

const COLUMNS = sql`account_id, id, type, subject_kind, subject_reference, subject_key, facts, received_at`
const MAX_FOUND = 100
/** What an acquirer says of disputes and reports is kept, because Adyen offers no inquiry about them. */
export const IS_PURGED = sql`subject_kind not in ('dispute', 'report')`

const noticeRows = rowsAs<Notice>('given', {
  id: ['text', ({ id }) => id],
  type: ['text', ({ type }) => type],
  subject_kind: ['text', ({ subject }) => subject.kind],
  subject_reference: ['text', ({ subject }) => subject.reference],
  subject_key: ['text', ({ subject }) => subject.key],
  facts: ['json', ({ facts }) => JSON.stringify(facts)],
})

const chargeRows = rowsAs<ChargeAtAccount>('charge', {
  account_id: ['text', ({ accountId }) => accountId],
  key: ['text', ({ key }) => key],
})

export function insertNotices(
  tx: Tx,
  accountId: string,
  notices: readonly Notice[],
  receivedAt: Instant,
): Promise<number> {
  return tx.execute(sql`
    insert into acquirer_notices (business_id, account_id, id, type, subject_kind, subject_reference, subject_key, facts,
                                  received_at, due_at)
    select ${tx.businessId}::text, ${accountId}::text, id, type, subject_kind, subject_reference, subject_key, facts,
           ${toRfc3339(receivedAt)}::timestamptz, ${toRfc3339(receivedAt)}::timestamptz
      from ${noticeRows(notices)}
    on conflict (business_id, account_id, id) do nothing`)
}

export async function findNotices(
  db: Database,
  businessId: string,
  accountId: string,
  { key, reference }: { readonly key: string; readonly reference: string | null },
): Promise<StoredNotice[]> {
  const rows = await db.read<NoticeRow>(
    businessId,
    sql`select ${COLUMNS} from acquirer_notices
         where business_id = ${businessId} and account_id = ${accountId}
           and (subject_key = ${key} or subject_reference = ${reference})
         order by received_at desc, id desc limit ${MAX_FOUND}`,
  )
  return rows.map(toNotice).toReversed()
}

export async function noticesAbout(
  tx: Tx,
  accountId: string,
  subjects: { readonly keys: readonly string[]; readonly references: readonly string[] },
): Promise<StoredNotice[]> {
  const rows = await tx.query<NoticeRow>(sql`
    select ${COLUMNS} from acquirer_notices
     where business_id = ${tx.businessId} and account_id = ${accountId}
       and (${isOneOf(sql`subject_key`, subjects.keys)} or ${isOneOf(sql`subject_reference`, subjects.references)})
     order by received_at desc, id desc limit ${MAX_FOUND}`)
  return rows.map(toNotice)
}

export async function dueNotices(tx: Tx, until: Instant, limit: number): Promise<DueNotice[]> {
  const rows = await tx.query<{ account_id: string; id: string }>(sql`
    select account_id, id from acquirer_notices
     where business_id = ${tx.businessId} and due_at <= ${toRfc3339(until)}
     order by due_at limit ${limit}`)
  return rows.map(({ account_id: accountId, id }) => ({ accountId, id }))
}

export async function lockDueNotice(
  tx: Tx,
  due: DueNotice,
  until: Instant,
): Promise<(StoredNotice & { readonly attempts: number }) | undefined> {
  const [row] = await tx.query<NoticeRow & { attempts: number }>(sql`
    select ${COLUMNS}, attempts from acquirer_notices
     where ${isNotice(tx, due)} and due_at <= ${toRfc3339(until)}
       for update skip locked`)
  return row && { ...toNotice(row), attempts: row.attempts }
}

export async function markHandled(tx: Tx, due: DueNotice): Promise<void> {
  await tx.execute(sql`
    update acquirer_notices set due_at = null, attempts = attempts + 1 where ${isNotice(tx, due)}`)
}

export async function postponeNotice(tx: Tx, due: DueNotice, until: Instant): Promise<void> {
  await tx.execute(sql`
    update acquirer_notices set due_at = ${toRfc3339(until)}, attempts = attempts + 1 where ${isNotice(tx, due)}`)
}

export function repeatNotices(
  tx: Tx,
  charges: readonly ChargeAtAccount[],
  kind: 'hold' | 'failure',
  at: Instant,
): Promise<number> {
  return tx.execute(sql`
    update acquirer_notices n set due_at = ${toRfc3339(at)}
      from ${chargeRows(charges)}
     where n.business_id = ${tx.businessId} and n.account_id = charge.account_id and n.subject_key = charge.key
       and n.subject_kind = ${kind} and n.due_at is null`)
}

export function purgeNotices(tx: Tx, receivedUntil: Instant, limit: number): Promise<number> {
  return tx.execute(sql`
    delete from acquirer_notices
     where business_id = ${tx.businessId} and (account_id, id) in (
           select account_id, id from acquirer_notices
            where business_id = ${tx.businessId} and received_at <= ${toRfc3339(receivedUntil)} and ${IS_PURGED}
            order by received_at limit ${limit})`)
}

function isNotice(tx: Tx, { accountId, id }: DueNotice): Sql {
  return sql`business_id = ${tx.businessId} and account_id = ${accountId} and id = ${id}`
}

function toNotice(row: NoticeRow): StoredNotice {
  return {
    id: row.id,
    type: row.type,
    subject: { kind: row.subject_kind, reference: row.subject_reference, key: row.subject_key },
    facts: JSON.parse(row.facts) as Record<string, string>,
    accountId: row.account_id,
    receivedAt: row.received_at,
  }
}

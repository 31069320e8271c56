import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { composed, json, table } from '#platform/postgres/table'
import type { ConfirmedFailure, Notice, NoticeSubject } from '../port/notices.ts'

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

const NOTICES = table<StoredNotice>('acquirer_notices', {
  id: 'text',
  type: 'text',
  subject: composed(
    ['subject_kind', 'subject_reference', 'subject_key'],
    (kind: NoticeSubject['kind'], reference: string, key: string | null) => ({ kind, reference, key }),
    {
      subject_kind: ['text', (subject) => subject.kind],
      subject_reference: ['text', (subject) => subject.reference],
      subject_key: ['text', (subject) => subject.key],
    },
  ),
  facts: json(),
  accountId: 'text',
  receivedAt: 'timestamptz',
})

const NEW_NOTICES = NOTICES.without('accountId', 'receivedAt')

const MAX_FOUND = 100
/** What an acquirer says of disputes and reports is kept, because Adyen offers no inquiry about them. */
export const IS_PURGED = sql`subject_kind not in ('dispute', 'report')`

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
  const more = { account_id: accountId, received_at: toRfc3339(receivedAt), due_at: toRfc3339(receivedAt) }
  return tx.execute(sql`
    insert into acquirer_notices ${NEW_NOTICES.values(tx.businessId, notices, more)}
    on conflict (business_id, account_id, id) do nothing`)
}

export async function findNotices(
  db: Database,
  businessId: string,
  accountId: string,
  { key, reference }: { readonly key: string; readonly reference: string | null },
): Promise<StoredNotice[]> {
  const rows = await db.read(
    businessId,
    sql`select ${NOTICES.columns} from acquirer_notices
         where business_id = ${businessId} and account_id = ${accountId}
           and (subject_key = ${key} or subject_reference = ${reference})
         order by received_at desc, id desc limit ${MAX_FOUND}`,
  )
  return rows.map(NOTICES.read).toReversed()
}

export async function noticesAbout(
  tx: Tx,
  accountId: string,
  subjects: { readonly keys: readonly string[]; readonly references: readonly string[] },
): Promise<StoredNotice[]> {
  const rows = await tx.query(sql`
    select ${NOTICES.columns} from acquirer_notices
     where business_id = ${tx.businessId} and account_id = ${accountId}
       and (${isOneOf(sql`subject_key`, subjects.keys)} or ${isOneOf(sql`subject_reference`, subjects.references)})
     order by received_at desc, id desc limit ${MAX_FOUND}`)
  return rows.map(NOTICES.read)
}

export async function dueNotices(tx: Tx, until: Instant, limit: number): Promise<DueNotice[]> {
  const rows = await tx.query<{ account_id: string; id: string }>(sql`
    select account_id, id from acquirer_notices
     where business_id = ${tx.businessId} and due_at <= ${toRfc3339(until)}
     order by due_at limit ${limit}`)
  return rows.map(({ account_id: accountId, id }) => ({ accountId, id }))
}

/** The key of the failed operation, and what the acquirer says of it, by the names that its adapter reads. */
export async function keepConfirmed(
  tx: Tx,
  due: DueNotice,
  { key, responseCode, responseMessage }: ConfirmedFailure,
): Promise<void> {
  const facts = JSON.stringify({ confirmed_code: responseCode, confirmed_message: responseMessage })
  await tx.execute(sql`
    update acquirer_notices set subject_key = ${key}, facts = ${facts}::json where ${isNotice(tx, due)}`)
}

export async function lockDueNotice(
  tx: Tx,
  due: DueNotice,
  until: Instant,
): Promise<(StoredNotice & { readonly attempts: number }) | undefined> {
  const [row] = await tx.query<{ attempts: number }>(sql`
    select ${NOTICES.columns}, attempts from acquirer_notices
     where ${isNotice(tx, due)} and due_at <= ${toRfc3339(until)}
       for update skip locked`)
  return row && { ...NOTICES.read(row), attempts: row.attempts }
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

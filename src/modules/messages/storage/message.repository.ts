import sql, { type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { claimRows, dueBy, isFree, type Lease, leasedTable } from '#platform/jobs/leases'
import type { Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { computed, json, table } from '#platform/postgres/table'
import { MESSAGE_KINDS, type MessageKind } from '../model/kinds.ts'
import { type Message, MESSAGE_STATES, type MessageState } from '../model/message.ts'

export const LEASED_MESSAGES = leasedTable('messages', { key: ['id'] })

const messagesAs = (alias: string) =>
  table<Message>(alias, {
    id: 'text',
    kind: 'text',
    state: 'text',
    objectId: 'text',
    cause: 'text',
    customerUuid: 'text',
    recipient: 'text',
    language: 'text',
    facts: json(),
    documentIds: computed('document_ids', `${alias}.document_ids`),
    subject: 'text',
    html: 'text',
    body: 'text',
    attachments: json(),
    reached: computed('reached', `${alias}.reached`),
    tries: 'integer',
    firstTryAt: 'timestamptz',
    error: 'text',
    resentFrom: 'text',
    createdAt: 'timestamptz',
    sentAt: 'timestamptz',
    dueAt: 'timestamptz',
  })

const MESSAGES = messagesAs('messages')
/** Under the alias that `claimRows` gives its table. */
const CLAIMED = messagesAs('r')

export type NewMessage = Omit<Message, 'reached'>

const newMessages = rowsAs<NewMessage>('n', {
  id: ['text', (m) => m.id],
  kind: ['text', (m) => m.kind],
  state: ['text', (m) => m.state],
  object_id: ['text', (m) => m.objectId],
  cause: ['text', (m) => m.cause],
  customer_uuid: ['text', (m) => m.customerUuid],
  recipient: ['text', (m) => m.recipient],
  language: ['text', (m) => m.language],
  facts: ['json', (m) => m.facts && JSON.stringify(m.facts)],
  documents: ['text', (m) => m.documentIds.join(' ')],
  resent_from: ['text', (m) => m.resentFrom],
  created_at: ['timestamptz', (m) => toRfc3339(m.createdAt)],
  due_at: ['timestamptz', (m) => rfc3339OrNull(m.dueAt)],
})

/** Stores messages whose cause has none yet. Ids of documents hold no blanks. */
export async function insertMessages(tx: Tx, messages: readonly NewMessage[]): Promise<void> {
  await tx.execute(sql`
    insert into messages (business_id, id, kind, state, object_id, cause, customer_uuid, recipient, language, facts, document_ids,
                          resent_from, created_at, due_at)
    select ${tx.businessId}, n.id, n.kind, n.state, n.object_id, n.cause, n.customer_uuid, n.recipient, n.language,
           n.facts::jsonb, string_to_array(n.documents, ' '), n.resent_from, n.created_at, n.due_at
      from ${newMessages(messages)}
     order by n.object_id, n.kind, n.cause
    on conflict (business_id, object_id, kind, cause) do nothing`)
}

/** Those of the objects that a message of this kind is about. */
export async function objectsWithMessage(
  tx: Tx,
  kind: MessageKind,
  objectIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (objectIds.length === 0) return new Set()
  const rows = await tx.query<{ object_id: string }>(sql`
    select object_id from messages
     where business_id = ${tx.businessId} and ${isOneOf(sql`object_id`, objectIds)} and kind = ${kind}`)
  return new Set(rows.map((row) => row.object_id))
}

/**
 * Leases messages that are due. While a clock is being advanced only first tries are made, so that an advance brings at most one
 * more try of a message, however far it goes.
 */
export async function claimMessages(tx: Tx, limit: number, lease: Lease): Promise<Message[]> {
  const isAdvancing = tx.clockOffsetMs === undefined
  const rows = await claimRows(tx, LEASED_MESSAGES, {
    where: sql`${dueBy(tx.now)} and (tries = 0 or not ${isAdvancing}::boolean)`,
    limit,
    lease,
    set: [sql`lease_id = ${lease.id}`],
    returning: CLAIMED.columns,
  })
  return rows.map(CLAIMED.read)
}

/** - `dueInMs`: Null when nothing is left to do. */
export interface MessageResult extends Pick<
  Message,
  'id' | 'state' | 'subject' | 'html' | 'body' | 'attachments' | 'reached' | 'tries' | 'error' | 'sentAt'
> {
  readonly firstTryAt: Instant | null
  readonly dueInMs: number | null
}

const results = rowsAs<MessageResult>('r', {
  id: ['text', (r) => r.id],
  state: ['text', (r) => r.state],
  subject: ['text', (r) => r.subject],
  html: ['text', (r) => r.html],
  body: ['text', (r) => r.body],
  attachments: ['json', (r) => r.attachments && JSON.stringify(r.attachments)],
  reached: ['text', (r) => r.reached.join(' ')],
  tries: ['integer', (r) => r.tries],
  error: ['text', (r) => r.error],
  sent_at: ['timestamptz', (r) => rfc3339OrNull(r.sentAt)],
  first_try_at: ['timestamptz', (r) => rfc3339OrNull(r.firstTryAt)],
  due_in_ms: ['bigint', (r) => r.dueInMs],
})

/**
 * Stores results of messages that are still leased and were not erased meanwhile. A bounce that was reported meanwhile stays.
 * Addresses hold no blanks.
 */
export async function recordMessages(
  tx: Tx,
  leaseId: string,
  done: readonly MessageResult[],
): Promise<Message[]> {
  if (done.length === 0) return []
  const rows = await tx.query(sql`
    update messages
       set state = case when messages.state in ('bounced', 'complained') then messages.state else r.state end,
           subject = r.subject, html = r.html, body = r.body, attachments = r.attachments::jsonb,
           reached = string_to_array(r.reached, ' '), tries = r.tries, error = r.error, sent_at = r.sent_at,
           first_try_at = r.first_try_at,
           due_at = ${toRfc3339(tx.now)}::timestamptz + r.due_in_ms * interval '1 millisecond',
           leased_until = null, lease_id = null
      from ${results(done)}
     where messages.business_id = ${tx.businessId} and messages.id = r.id and messages.lease_id = ${leaseId}
       and messages.facts is not null
    returning ${MESSAGES.columns}`)
  return rows.map(MESSAGES.read)
}

export async function nextMessageDue(
  tx: Tx,
  realNow: Instant,
): Promise<{ readonly dueAt: Instant | null; readonly leasedUntil: Instant | null }> {
  const [row] = await tx.query<{ due_at: Instant | null; leased_until: Instant | null }>(sql`
    select min(due_at) filter (where ${isFree(realNow)}) as due_at,
           min(leased_until) filter (where not ${isFree(realNow)}) as leased_until
      from (select due_at, leased_until from messages
             where business_id = ${tx.businessId} and due_at is not null order by due_at limit 500) as due`)
  return { dueAt: row?.due_at ?? null, leasedUntil: row?.leased_until ?? null }
}

export async function findMessage(tx: Tx, id: string, lock = false): Promise<Message | undefined> {
  const [row] = await tx.query(sql`
    select ${MESSAGES.columns} from messages
     where business_id = ${tx.businessId} and id = ${id} ${lock ? sql`for no key update` : sql``}`)
  return row && MESSAGES.read(row)
}

export async function setMessageState(tx: Tx, id: string, state: MessageState): Promise<void> {
  await tx.execute(sql`
    update messages set state = ${state}, due_at = null where business_id = ${tx.businessId} and id = ${id}`)
}

export const MESSAGE_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`messages.id`, prefix: true },
  kind: { type: 'enum', column: sql`messages.kind`, values: MESSAGE_KINDS },
  state: { type: 'enum', column: sql`messages.state`, values: MESSAGE_STATES },
  object_id: { type: 'text', column: sql`messages.object_id`, prefix: true },
  to: { type: 'text', column: sql`messages.recipient` },
  language: { type: 'text', column: sql`messages.language` },
  'customer.uuid': { type: 'text', column: sql`messages.customer_uuid`, prefix: true },
  created_at: { type: 'time', column: sql`messages.created_at` },
}

export async function listMessages(
  tx: Pick<Tx, 'businessId' | 'query'>,
  condition: Sql,
  page: PageRequest,
): Promise<Message[]> {
  const rows = await tx.query(sql`
    select ${MESSAGES.columns} from messages
     where business_id = ${tx.businessId} and ${condition} ${rowsOfPage(page, sql`created_at`, sql`id`)}`)
  return rows.map(MESSAGES.read)
}

/** Messages about these objects, newest first, without what they say. */
export async function findMessagesOf(
  tx: Tx,
  objectIds: readonly string[],
  limit: number,
): Promise<Pick<Message, 'id' | 'kind' | 'state' | 'objectId' | 'recipient' | 'createdAt' | 'sentAt'>[]> {
  if (objectIds.length === 0) return []
  const shown = MESSAGES.only('id', 'kind', 'state', 'objectId', 'recipient', 'createdAt', 'sentAt')
  const rows = await tx.query(sql`
    select ${shown.columns} from messages
     where business_id = ${tx.businessId} and ${isOneOf(sql`object_id`, objectIds)}
     order by created_at desc, id desc limit ${limit}`)
  return rows.map(shown.read)
}

/** The newest messages to a customer, newest first. */
export async function findMessageIdsOfCustomer(
  tx: Tx,
  customerUuid: string,
  limit: number,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from messages
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid}
     order by created_at desc, id desc limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** Messages of the last days that did not arrive, oldest first. */
export async function findUndelivered(
  tx: Tx,
  after: Instant,
  limit: number,
): Promise<Pick<Message, 'id' | 'kind' | 'state' | 'recipient' | 'createdAt'>[]> {
  const shown = MESSAGES.only('id', 'kind', 'state', 'recipient', 'createdAt')
  const rows = await tx.query(sql`
    select ${shown.columns} from messages
     where business_id = ${tx.businessId} and state in ('failed', 'bounced') and created_at > ${toRfc3339(after)}
     order by created_at, id limit ${limit}`)
  return rows.map(shown.read)
}

export async function oldestMessageAt(tx: Tx): Promise<Instant | undefined> {
  const [row] = await tx.query<{ created_at: Instant }>(sql`
    select created_at from messages where business_id = ${tx.businessId} order by created_at limit 1`)
  return row?.created_at
}

export function deleteMessages(tx: Tx, before: Instant, limit: number): Promise<number> {
  return tx.execute(sql`
    delete from messages where business_id = ${tx.businessId} and id = any(array(
      select id from messages where business_id = ${tx.businessId} and created_at <= ${toRfc3339(before)}
       order by created_at limit ${limit}))`)
}

import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import { table } from '#platform/postgres/table'
import { MESSAGE_LINK_DAYS, type PortalSession } from '../model/session.ts'

const SESSIONS = table<PortalSession>('s', {
  id: 'text',
  customerUuid: 'text',
  returnUrl: 'text',
  flow: 'text',
  planId: 'text',
  isReadOnly: 'boolean',
  isCardsOnly: 'boolean',
  linkExpiresAt: 'timestamptz',
  openedAt: 'timestamptz',
  expiresAt: 'timestamptz',
  endedAt: 'timestamptz',
  createdAt: 'timestamptz',
})

/** Until no link to an ended session can be opened again. */
const KEPT_DAYS = MESSAGE_LINK_DAYS + 1
/** How many old rows a new one deletes, so that the table needs no job. */
const SWEPT_ROWS = 20

/** Returns false if the session is there already. */
export async function insertSession(tx: Tx, session: PortalSession): Promise<boolean> {
  const { businessId } = tx
  const oldest = session.createdAt.subtract({ hours: 24 * KEPT_DAYS })
  await tx.execute(sql`
    delete from portal_sessions where business_id = ${businessId} and id in (
      select id from portal_sessions where business_id = ${businessId} and created_at < ${toRfc3339(oldest)}
       order by created_at limit ${SWEPT_ROWS} for update skip locked)`)
  const inserted = await tx.execute(sql`
    insert into portal_sessions ${SESSIONS.values(businessId, [session])}
    on conflict (business_id, id) do nothing`)
  return inserted === 1
}

export async function findSession(
  db: Database,
  businessId: string,
  id: string,
): Promise<PortalSession | undefined> {
  return (await db.read(businessId, selectSession(businessId, id))).map(SESSIONS.read)[0]
}

export async function loadSession(tx: Tx, id: string): Promise<PortalSession | undefined> {
  return (await tx.query(selectSession(tx.businessId, id))).map(SESSIONS.read)[0]
}

function selectSession(businessId: string, id: string): Sql {
  return sql`select ${SESSIONS.columns} from portal_sessions s where s.business_id = ${businessId} and s.id = ${id}`
}

/** Uses up the link of a session. Undefined where it was used before, is too old, or its session has ended. */
export async function openSession(tx: Tx, id: string, at: Instant): Promise<PortalSession | undefined> {
  const rows = await tx.query(sql`
    update portal_sessions s set opened_at = ${toRfc3339(at)}::timestamptz
     where s.business_id = ${tx.businessId} and s.id = ${id} and s.opened_at is null and s.ended_at is null
       and s.link_expires_at > ${toRfc3339(at)}::timestamptz
    returning ${SESSIONS.columns}`)
  return rows.map(SESSIONS.read)[0]
}

export async function endSession(tx: Tx, id: string, at: Instant): Promise<void> {
  await tx.execute(sql`
    update portal_sessions set ended_at = ${toRfc3339(at)}::timestamptz
     where business_id = ${tx.businessId} and id = ${id} and ended_at is null`)
}

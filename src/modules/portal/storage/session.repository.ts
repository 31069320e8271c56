import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Database, Tx } from '#platform/postgres/database'
import { table } from '#platform/postgres/table'
import type { PortalSession } from '../model/session.ts'

const SESSIONS = table<PortalSession>('s', {
  id: 'text',
  customerUuid: 'text',
  returnUrl: 'text',
  flow: 'text',
  planId: 'text',
  isReadOnly: 'boolean',
  linkExpiresAt: 'timestamptz',
  openedAt: 'timestamptz',
  expiresAt: 'timestamptz',
  endedAt: 'timestamptz',
  createdAt: 'timestamptz',
})

/** How many old rows a new one deletes, so that the table needs no job. */
const SWEPT_ROWS = 20

export async function insertSession(tx: Tx, session: PortalSession, oldest: Instant): Promise<void> {
  const { businessId } = tx
  await tx.execute(sql`
    delete from portal_sessions where business_id = ${businessId} and id in (
      select id from portal_sessions where business_id = ${businessId} and created_at < ${toRfc3339(oldest)}
       order by created_at limit ${SWEPT_ROWS} for update skip locked)`)
  await tx.execute(sql`insert into portal_sessions ${SESSIONS.values(businessId, [session])}`)
}

export async function findSession(
  db: Database,
  businessId: string,
  id: string,
): Promise<PortalSession | undefined> {
  const rows = await db.read(
    businessId,
    sql`select ${SESSIONS.columns} from portal_sessions s where s.business_id = ${businessId} and s.id = ${id}`,
  )
  return rows.map(SESSIONS.read)[0]
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

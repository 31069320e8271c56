import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'

interface MailedLink {
  readonly id: string
  readonly addressHash: string
  readonly mailedAt: Instant
}

/** How many old rows a new one deletes, so that the table needs no job. */
const SWEPT_ROWS = 20

/** Returns false if the address has had `max` links since then. */
export async function insertMailedLink(
  tx: Tx,
  { id, addressHash, mailedAt }: MailedLink,
  limit: { readonly max: number; readonly since: Instant },
): Promise<boolean> {
  const { businessId } = tx
  const since = toRfc3339(limit.since)
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`${businessId} ${addressHash} portal links`}, 0))`,
  )
  await tx.execute(sql`
    delete from portal_mailed_links where business_id = ${businessId} and id in (
      select id from portal_mailed_links where business_id = ${businessId} and mailed_at < ${since}
       order by mailed_at limit ${SWEPT_ROWS} for update skip locked)`)
  const inserted = await tx.execute(sql`
    insert into portal_mailed_links (business_id, id, address_hash, mailed_at)
    select ${businessId}, ${id}::text, ${addressHash}::text, ${toRfc3339(mailedAt)}::timestamptz
     where (select count(*) from portal_mailed_links
             where business_id = ${businessId} and address_hash = ${addressHash} and mailed_at >= ${since}) < ${limit.max}`)
  return inserted === 1
}

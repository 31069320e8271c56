import sql from 'sql-template-tag'
import { realClock, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { type Allow, NOTHING, type PortalSettings } from '../model/allow.ts'

export async function findSettings(tx: Tx): Promise<PortalSettings> {
  const [row] = await tx.query<{ return_url: string | null; allow: string }>(sql`
    select return_url, allow::text from portal_settings where business_id = ${tx.businessId}`)
  if (row === undefined) return { returnUrl: null, allow: NOTHING }
  return { returnUrl: row.return_url, allow: { ...NOTHING, ...(JSON.parse(row.allow) as Partial<Allow>) } }
}

/** The row may not exist yet, so an advisory lock stands for it. */
export async function lockSettings(tx: Tx): Promise<PortalSettings> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`${tx.businessId} portal settings`}, 0))`,
  )
  return findSettings(tx)
}

export async function saveSettings(tx: Tx, { returnUrl, allow }: PortalSettings): Promise<void> {
  await tx.execute(sql`
    insert into portal_settings (business_id, return_url, allow, updated_at)
    values (${tx.businessId}, ${returnUrl}, ${JSON.stringify(allow)}::jsonb, ${toRfc3339(realClock.now())})
    on conflict (business_id) do update
       set return_url = excluded.return_url, allow = excluded.allow, updated_at = excluded.updated_at`)
}

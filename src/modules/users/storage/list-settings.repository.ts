import sql from 'sql-template-tag'
import { realClock, toRfc3339 } from '#kernel/clock'
import type { SharedStatements } from '#platform/postgres/database'

export async function listSettingsOf(
  shared: SharedStatements,
  userId: string,
): Promise<{ list: string; settings: string }[]> {
  return shared.query(sql`
    select list, settings::text as settings from user_list_settings where user_id = ${userId} order by list`)
}

export async function putListSettings(
  shared: SharedStatements,
  userId: string,
  { list, settings, max }: { readonly list: string; readonly settings: object; readonly max: number },
): Promise<boolean> {
  const rows = await shared.query(sql`
    insert into user_list_settings as s (user_id, list, settings, updated_at)
    select ${userId}::text, ${list}::text, ${JSON.stringify(settings)}::json, ${toRfc3339(realClock.now())}::timestamptz
     where (select count(*) from user_list_settings o where o.user_id = ${userId} and o.list <> ${list}) < ${max}
    on conflict (user_id, list) do update set settings = excluded.settings, updated_at = excluded.updated_at
    returning list`)
  return rows.length === 1
}

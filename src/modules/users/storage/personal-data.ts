import sql from 'sql-template-tag'
import { asksForCustomer, idsIn } from '#platform/personal-data/filter-names'
import type { Batch, PersonalData, Subject } from '#platform/personal-data/personal-data'
import type { Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'

const SCANNED = 200

interface ListSettings {
  readonly user_id: string
  readonly list: string
  readonly settings: string
}

interface Settings {
  readonly views: readonly { readonly filter: string }[]
}

const settingsRows = rowsAs<ListSettings>('input', {
  user_id: ['text', (row) => row.user_id],
  list: ['text', (row) => row.list],
  settings: ['text', (row) => row.settings],
})

export const USERS_PERSONAL_DATA: PersonalData = {
  sources: [
    {
      table: 'user_list_settings',
      read: async () => ({ rows: [], next: null }),
      erase: eraseViews,
      usesSharedTables: true,
    },
  ],
}

async function eraseViews(tx: Tx, subject: Subject, after: string): Promise<Batch> {
  const [afterUser = '', afterList = ''] = after.split(' ')
  const scanned = await tx.query<ListSettings>(sql`
    select s.user_id, s.list, s.settings::text as settings from user_list_settings s
     where (s.user_id, s.list) > (${afterUser}, ${afterList})
       and s.user_id in (select m.user_id from memberships m join businesses b on b.code = m.business_code
                          where b.business_id = ${tx.businessId})
     order by s.user_id, s.list limit ${SCANNED} for update of s`)
  const ids = new Set(scanned.flatMap(({ settings }) => idsIn(settings)))
  const named = await tx.query<{ id: string }>(sql`
    select o.id from (${subject.objects}) o where o.id in (select unnest((select ${[...ids]}::text[])))`)
  const own = new Set(named.map(({ id }) => id))
  const changed = scanned.flatMap((row) => {
    const settings = JSON.parse(row.settings) as Settings
    const views = settings.views.filter(
      ({ filter }) => !idsIn(filter).some((id) => own.has(id)) && !asksForCustomer(row.list, filter, subject),
    )
    if (views.length === settings.views.length) return []
    return [{ ...row, settings: JSON.stringify({ ...settings, views }) }]
  })
  if (changed.length > 0) {
    await tx.execute(sql`
      update user_list_settings s set settings = input.settings::json from ${settingsRows(changed)}
       where s.user_id = input.user_id and s.list = input.list`)
  }
  const last = scanned.at(-1)
  const next = last === undefined || scanned.length < SCANNED ? null : `${last.user_id} ${last.list}`
  return { count: changed.length, next }
}

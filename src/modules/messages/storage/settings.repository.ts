import sql, { empty, type Sql } from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { computed, table } from '#platform/postgres/table'
import { DEFAULT_SETTINGS, type MessageSettings } from '../model/settings.ts'

const SETTINGS = table<MessageSettings>('s', {
  enabled: computed('enabled', 's.enabled'),
  replyTo: 'text',
  language: 'text',
  renewalDays: 'integer',
  deliverInTest: 'boolean',
  bcc: 'text',
  joinReceipt: 'boolean',
  messageDays: 'integer',
})

export function selectSettings(businessId: string, lock: Sql = empty): Sql {
  return sql`select ${SETTINGS.columns} from message_settings s where s.business_id = ${businessId} ${lock}`
}

export function readSettings([row]: readonly object[]): MessageSettings {
  return row === undefined ? DEFAULT_SETTINGS : SETTINGS.read(row)
}

export async function findSettings(tx: Tx, lock: Sql = empty): Promise<MessageSettings> {
  return readSettings(await tx.query(selectSettings(tx.businessId, lock)))
}

/** Two edits run one after the other, also where there is no row yet. */
export async function lockSettings(tx: Tx): Promise<MessageSettings> {
  await tx.query(
    sql`select pg_advisory_xact_lock(hashtextextended(${`${tx.businessId} message settings`}, 0))`,
  )
  return findSettings(tx)
}

export async function saveSettings(tx: Tx, settings: MessageSettings): Promise<void> {
  await tx.execute(sql`
    insert into message_settings ${SETTINGS.values(tx.businessId, [settings], {
      enabled: sql`${[...settings.enabled]}::text[]`,
      updated_at: toRfc3339(tx.now),
    })}
    on conflict (business_id) do update
       set ${SETTINGS.setFrom('excluded')}, enabled = excluded.enabled, updated_at = excluded.updated_at`)
}

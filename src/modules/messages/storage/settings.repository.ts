import sql, { empty, type Sql } from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { MessageKind } from '../model/kinds.ts'
import { DEFAULT_SETTINGS, type MessageSettings } from '../model/settings.ts'

interface SettingsRow {
  enabled: MessageKind[]
  reply_to: string | null
  language: string | null
  renewal_days: number
  deliver_in_test: boolean
  bcc: string | null
  join_receipt: boolean
  message_days: number
}

export function selectSettings(businessId: string, lock: Sql = empty): Sql {
  return sql`
    select enabled, reply_to, language, renewal_days, deliver_in_test, bcc, join_receipt, message_days
      from message_settings where business_id = ${businessId} ${lock}`
}

export function readSettings([row]: readonly object[]): MessageSettings {
  if (row === undefined) return DEFAULT_SETTINGS
  const stored = row as SettingsRow
  return {
    enabled: stored.enabled,
    replyTo: stored.reply_to,
    language: stored.language,
    renewalDays: stored.renewal_days,
    deliverInTest: stored.deliver_in_test,
    bcc: stored.bcc,
    joinReceipt: stored.join_receipt,
    messageDays: stored.message_days,
  }
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
    insert into message_settings (business_id, enabled, reply_to, language, renewal_days, deliver_in_test, bcc, join_receipt,
                                  message_days, updated_at)
    values (${tx.businessId}, ${[...settings.enabled]}::text[], ${settings.replyTo}, ${settings.language},
            ${settings.renewalDays}, ${settings.deliverInTest}, ${settings.bcc}, ${settings.joinReceipt},
            ${settings.messageDays}, ${toRfc3339(tx.now)})
    on conflict (business_id) do update
       set enabled = excluded.enabled, reply_to = excluded.reply_to, language = excluded.language,
           renewal_days = excluded.renewal_days, deliver_in_test = excluded.deliver_in_test, bcc = excluded.bcc,
           join_receipt = excluded.join_receipt, message_days = excluded.message_days, updated_at = excluded.updated_at`)
}

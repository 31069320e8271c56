import sql, { empty, type Sql } from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import type { BillingSettings } from '../model/settings.ts'

interface SettingsRow {
  legal_entity_id: string | null
  tax: BillingSettings['tax']
  collection: BillingSettings['collection']
  days_until_due: number
  late_days: number
  locked_until: string | null
  write_off_up_to: string | null
}

export function findSettings(tx: Tx): Promise<BillingSettings | undefined> {
  return read(tx, empty)
}

/** Also waits for those who read until when days are closed (`shareSettings`), and they for this. */
export async function lockSettings(tx: Tx): Promise<BillingSettings | undefined> {
  await tx.query(sql`select pg_advisory_xact_lock(${closedMonths(tx)})`)
  return read(tx, sql`for no key update`)
}

/** The row may not exist yet, so an advisory lock stands for it. */
export async function shareSettings(tx: Tx): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(${closedMonths(tx)})`)
}

function closedMonths(tx: Tx): Sql {
  return sql`hashtextextended(${`${tx.businessId} closed months`}, 0)`
}

export async function saveSettings(tx: Tx, settings: BillingSettings): Promise<void> {
  await tx.execute(sql`
    insert into billing_settings (business_id, legal_entity_id, tax, collection, days_until_due, late_days, locked_until,
                                  write_off_up_to, updated_at)
    values (${tx.businessId}, ${settings.legalEntityId}, ${settings.tax}, ${settings.collection},
            ${settings.daysUntilDue}, ${settings.lateDays}, ${settings.lockedUntil}::date,
            ${storedAmounts(settings.writeOffUpTo)}::jsonb, ${toRfc3339(tx.now)})
    on conflict (business_id) do update
       set legal_entity_id = excluded.legal_entity_id, tax = excluded.tax, collection = excluded.collection,
           days_until_due = excluded.days_until_due, late_days = excluded.late_days,
           locked_until = excluded.locked_until, write_off_up_to = excluded.write_off_up_to,
           updated_at = excluded.updated_at`)
}

function storedAmounts(amounts: ReadonlyMap<string, Money>): string | null {
  if (amounts.size === 0) return null
  return JSON.stringify(
    Object.fromEntries([...amounts].map(([currency, { minor }]) => [currency, minor.toString()])),
  )
}

function readAmounts(stored: string | null): ReadonlyMap<string, Money> {
  if (stored === null) return new Map()
  const minors = JSON.parse(stored) as Readonly<Record<string, string>>
  return new Map(
    Object.entries(minors).map(([currency, minor]) => [currency, Money.ofMinor(currency, BigInt(minor))]),
  )
}

async function read(tx: Tx, lock: Sql): Promise<BillingSettings | undefined> {
  const [row] = await tx.query<SettingsRow>(sql`
    select legal_entity_id, tax, collection, days_until_due, late_days, locked_until, write_off_up_to::text
      from billing_settings
     where business_id = ${tx.businessId} ${lock}`)
  return (
    row && {
      legalEntityId: row.legal_entity_id,
      tax: row.tax,
      collection: row.collection,
      daysUntilDue: row.days_until_due,
      lateDays: row.late_days,
      lockedUntil: row.locked_until,
      writeOffUpTo: readAmounts(row.write_off_up_to),
    }
  )
}

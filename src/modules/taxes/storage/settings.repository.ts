import sql, { empty, type Sql } from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { table } from '#platform/postgres/table'
import type { BillingSettings } from '../model/settings.ts'

const SETTINGS = table<BillingSettings>('s', {
  legalEntityId: 'text',
  tax: 'text',
  collection: 'text',
  daysUntilDue: 'integer',
  lateDays: 'integer',
  lockedUntil: 'date',
  writeOffUpTo: { type: 'json', read: readAmounts, write: storedAmounts },
})

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

/**
 * The last closed day as a value within a statement that another module sends anyway. It is read without a lock: an edit at the same
 * moment may come first.
 */
export function lockedUntilOf(businessId: string): Sql {
  return sql`(select s.locked_until from billing_settings s where s.business_id = ${businessId})`
}

function closedMonths(tx: Tx): Sql {
  return sql`hashtextextended(${`${tx.businessId} closed months`}, 0)`
}

export async function saveSettings(tx: Tx, settings: BillingSettings): Promise<void> {
  const now = toRfc3339(tx.now)
  await tx.execute(sql`
    insert into billing_settings as s ${SETTINGS.values(tx.businessId, [settings], { updated_at: now, locked_at: now })}
    on conflict (business_id) do update set ${SETTINGS.setFrom('excluded')}, updated_at = excluded.updated_at,
      locked_at = case when s.locked_until is distinct from excluded.locked_until then excluded.locked_at else s.locked_at end`)
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
  const [row] = await tx.query(sql`
    select ${SETTINGS.columns} from billing_settings s where s.business_id = ${tx.businessId} ${lock}`)
  return row && SETTINGS.read(row)
}

import sql from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import { decimal, decimalToString } from '#kernel/decimal'
import type { Tx } from '#platform/postgres/database'
import {
  type Bookkeeping,
  type BookkeepingAccounts,
  type DatevSettings,
  NO_BOOKKEEPING,
  type RateAccount,
} from '../model/bookkeeping.ts'

/** Percentages are texts, so that no JSON reader rounds them. */
interface StoredAccount extends Omit<RateAccount, 'percentage'> {
  readonly percentage: string
}

interface StoredAccounts extends Omit<BookkeepingAccounts, 'revenue' | 'tax' | 'writeOffs' | 'disputes'> {
  /** Missing in settings that were saved before the account existed. */
  readonly writeOffs?: string | null
  readonly disputes?: string | null
  readonly revenue: readonly StoredAccount[]
  readonly tax: readonly StoredAccount[]
}

export async function findBookkeeping(tx: Tx): Promise<Bookkeeping> {
  const [row] = await tx.query<{ accounts: string | null; datev: string | null }>(sql`
    select accounts::text, datev::text from bookkeeping_settings where business_id = ${tx.businessId}`)
  if (row === undefined) return NO_BOOKKEEPING
  return {
    accounts: row.accounts === null ? null : readAccounts(JSON.parse(row.accounts) as StoredAccounts),
    datev: row.datev === null ? null : (JSON.parse(row.datev) as DatevSettings),
  }
}

export async function saveBookkeeping(tx: Tx, { accounts, datev }: Bookkeeping): Promise<void> {
  const stored = accounts === null ? null : JSON.stringify(storedAccounts(accounts))
  await tx.execute(sql`
    insert into bookkeeping_settings (business_id, accounts, datev, updated_at)
    values (${tx.businessId}, ${stored}::jsonb, ${datev === null ? null : JSON.stringify(datev)}::jsonb,
            ${toRfc3339(tx.now)})
    on conflict (business_id) do update
       set accounts = excluded.accounts, datev = excluded.datev, updated_at = excluded.updated_at`)
}

function storedAccounts(accounts: BookkeepingAccounts): StoredAccounts {
  const stored = (one: RateAccount): StoredAccount => ({
    ...one,
    percentage: decimalToString(one.percentage),
  })
  return { ...accounts, revenue: accounts.revenue.map(stored), tax: accounts.tax.map(stored) }
}

function readAccounts(stored: StoredAccounts): BookkeepingAccounts {
  const read = (one: StoredAccount): RateAccount => ({ ...one, percentage: decimal(one.percentage) })
  return {
    ...stored,
    writeOffs: stored.writeOffs ?? null,
    disputes: stored.disputes ?? null,
    revenue: stored.revenue.map(read),
    tax: stored.tax.map(read),
  }
}

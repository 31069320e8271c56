import sql, { type Sql } from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import { decimal, decimalToString } from '#kernel/decimal'
import type { FilterFields } from '#platform/filter/filter-sql'
import { readFiltered } from '#platform/filter/read-filtered'
import { rowsOfSortedPage, type SortedPage } from '#platform/http/validation/sorted-list'
import type { Database, Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import { type ExchangeRate, RATE_DAYS, type RateKey } from '../model/exchange-rate.ts'

interface RateRow {
  date: string
  base: string
  quote: string
  rate: string
}

const COLUMNS = sql`r.date::text, r.base, r.quote, trim_scale(r.rate)::text as rate`

/** Distinguishes the rates of one day. */
const PAIR = sql`(r.base || '-' || r.quote)`

export const EXCHANGE_RATE_SORTS = { date: { column: sql`r.date`, type: 'date' } } as const

export const EXCHANGE_RATE_FIELDS: FilterFields = {
  date: { type: 'date', column: sql`r.date` },
  base: { type: 'text', column: sql`r.base` },
  quote: { type: 'text', column: sql`r.quote` },
}

const newRates = rowsAs<ExchangeRate>('n', {
  date: ['date', (r) => r.date],
  base: ['text', (r) => r.base],
  quote: ['text', (r) => r.quote],
  rate: ['numeric', (r) => decimalToString(r.rate)],
})

/** Also waits for those who found no rate and are about to store a document without it (`shareExchangeRates`). */
export async function lockExchangeRates(tx: Tx): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(${lockKey(tx)})`)
}

export async function shareExchangeRates(tx: Tx): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock_shared(${lockKey(tx)})`)
}

function lockKey(tx: Tx): Sql {
  return sql`hashtextextended(${`${tx.businessId} exchange rates`}, 0)`
}

/** Rates that are stored already stay untouched. */
export async function saveExchangeRates(tx: Tx, rates: readonly ExchangeRate[]): Promise<void> {
  await tx.execute(sql`
    insert into exchange_rates as r (business_id, base, quote, date, rate, updated_at)
    select ${tx.businessId}, n.base, n.quote, n.date, n.rate, ${toRfc3339(tx.now)}
      from ${newRates(rates)}
    on conflict (business_id, base, quote, date) do update set rate = excluded.rate, updated_at = excluded.updated_at
     where r.rate <> excluded.rate`)
}

export async function listExchangeRates(
  db: Database,
  businessId: string,
  filter: Sql | undefined,
  page: SortedPage,
): Promise<ExchangeRate[]> {
  const rows = await readFiltered<RateRow>(
    db,
    businessId,
    filter,
    (condition) => sql`
      select ${COLUMNS} from exchange_rates r
       where r.business_id = ${businessId} and ${condition}
       ${rowsOfSortedPage(page, PAIR)}`,
  )
  return rows.map(toRate)
}

const keys = rowsAs<RateKey>('k', {
  from_currency: ['text', (k) => k.from],
  to_currency: ['text', (k) => k.to],
  day: ['date', (k) => k.date],
})

/** Finds the rate of a day: the newest of that day or of up to seven days before, in either direction. */
export async function findExchangeRates(
  tx: Tx,
  wanted: readonly RateKey[],
): Promise<(key: RateKey) => ExchangeRate | undefined> {
  if (wanted.length === 0) return () => undefined
  const distinct = new Map(wanted.map((key) => [keyOf(key), key]))
  const rows = await tx.query<RateRow & { from_currency: string; to_currency: string; day: string }>(sql`
    select k.from_currency, k.to_currency, k.day::text as day, found.*
      from ${keys([...distinct.values()])}
     cross join lateral (
           select ${COLUMNS} from exchange_rates r
            where r.business_id = ${tx.businessId}
              and (r.base = k.from_currency and r.quote = k.to_currency
                   or r.base = k.to_currency and r.quote = k.from_currency)
              and r.date between k.day - ${RATE_DAYS}::integer and k.day
            order by r.date desc, r.base = k.from_currency desc limit 1) found`)
  const found = new Map(
    rows.map((row) => [keyOf({ from: row.from_currency, to: row.to_currency, date: row.day }), toRate(row)]),
  )
  return (key) => found.get(keyOf(key))
}

function keyOf({ from, to, date }: RateKey): string {
  return `${from} ${to} ${date}`
}

function toRate({ date, base, quote, rate }: RateRow): ExchangeRate {
  return { date, base, quote, rate: decimal(rate) }
}

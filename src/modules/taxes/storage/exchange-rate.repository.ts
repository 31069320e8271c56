import sql, { type Sql } from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { readFiltered } from '#platform/filter/read-filtered'
import { rowsOfSortedPage, type SortedPage } from '#platform/http/validation/sorted-list'
import type { Database, Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import { DECIMAL, table } from '#platform/postgres/table'
import { type ExchangeRate, RATE_DAYS, type RateKey } from '../model/exchange-rate.ts'

const RATES = table<ExchangeRate>('r', { date: 'date', base: 'text', quote: 'text', rate: DECIMAL })

/** Distinguishes the rates of one day. */
const PAIR = sql`(r.base || '-' || r.quote)`

export const EXCHANGE_RATE_SORTS = { date: { column: sql`r.date`, type: 'date' } } as const

export const EXCHANGE_RATE_FIELDS: FilterFields = {
  date: { type: 'date', column: sql`r.date` },
  base: { type: 'text', column: sql`r.base` },
  quote: { type: 'text', column: sql`r.quote` },
}

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
    insert into exchange_rates as r
           ${RATES.values(tx.businessId, rates, { updated_at: toRfc3339(tx.now) })}
    on conflict (business_id, base, quote, date) do update set rate = excluded.rate, updated_at = excluded.updated_at
     where r.rate <> excluded.rate`)
}

export async function listExchangeRates(
  db: Database,
  businessId: string,
  filter: Sql | undefined,
  page: SortedPage,
): Promise<ExchangeRate[]> {
  const rows = await readFiltered(
    db,
    businessId,
    filter,
    (condition) => sql`
      select ${RATES.columns} from exchange_rates r
       where r.business_id = ${businessId} and ${condition}
       ${rowsOfSortedPage(page, PAIR)}`,
  )
  return rows.map(RATES.read)
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
  const rows = await tx.query<{ from_currency: string; to_currency: string; day: string }>(sql`
    select k.from_currency, k.to_currency, k.day::text as day, found.*
      from ${keys([...distinct.values()])}
     cross join lateral (
           select ${RATES.columns} from exchange_rates r
            where r.business_id = ${tx.businessId}
              and (r.base = k.from_currency and r.quote = k.to_currency
                   or r.base = k.to_currency and r.quote = k.from_currency)
              and r.date between k.day - ${RATE_DAYS}::integer and k.day
            order by r.date desc, r.base = k.from_currency desc limit 1) found`)
  const found = new Map(
    rows.map((row) => [
      keyOf({ from: row.from_currency, to: row.to_currency, date: row.day }),
      RATES.read(row),
    ]),
  )
  return (key) => found.get(keyOf(key))
}

function keyOf({ from, to, date }: RateKey): string {
  return `${from} ${to} ${date}`
}

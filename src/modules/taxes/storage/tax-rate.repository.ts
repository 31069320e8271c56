import sql, { empty, type Sql } from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import { decimal, decimalToString } from '#kernel/decimal'
import type { FilterFields } from '#platform/filter/filter-sql'
import { readFiltered } from '#platform/filter/read-filtered'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { json, table } from '#platform/postgres/table'
import type { TableRate } from '../model/rate-table.ts'
import type { RateScope, TaxRate } from '../model/tax-rate.ts'

const PAGE = 2_000

const SCOPE_MEMBERS = {
  name: 'text',
  country: 'text',
  region: 'text',
  category: 'text',
  validFrom: 'date',
  validUntil: 'date',
} as const

const RATES = table<TaxRate>('r', {
  ...SCOPE_MEMBERS,
  id: 'text',
  percentage: { type: 'text', read: decimal, write: decimalToString },
  referenceId: 'text',
  metadata: json(),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
})
const NEW = RATES.without('updatedAt')

export interface StoredScope extends RateScope {
  readonly id: string
}

export type StoredRate = StoredScope & TableRate

const SCOPES = table<StoredRate>('r', { ...SCOPE_MEMBERS, id: 'text', percentage: 'text' })
const TABLE_RATES = SCOPES.without('id')

export const TAX_RATE_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`r.id`, prefix: true },
  reference_id: { type: 'text', column: sql`r.reference_id`, prefix: true },
  created_at: { type: 'time', column: sql`r.created_at` },
}

/** Writers of a business's rates take turns, because two rates that overlap must not both be written. */
export async function lockTaxRates(tx: Tx): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${tx.businessId} tax rates`}, 0))`)
}

export function insertTaxRates(tx: Tx, rates: readonly TaxRate[]): Promise<number> {
  return tx.execute(sql`
    insert into tax_rates ${NEW.values(tx.businessId, rates, { updated_at: sql`n.created_at` })}
    on conflict (business_id, reference_id) do nothing`)
}

export async function setValidUntil(tx: Tx, { id, validUntil, updatedAt }: TaxRate): Promise<void> {
  await tx.execute(sql`
    update tax_rates set valid_until = ${validUntil}::text::date, updated_at = ${toRfc3339(updatedAt)}
     where business_id = ${tx.businessId} and id = ${id}`)
}

export async function findTaxRate(tx: Tx, id: string): Promise<TaxRate | undefined> {
  const [row] = await tx.query(sql`
    select ${RATES.columns} from tax_rates r where r.business_id = ${tx.businessId} and r.id = ${id}`)
  return row && RATES.read(row)
}

export interface RatePlace {
  readonly country: string
  readonly region: string | null
}

/** Reads the rates of the countries and of the regions. A region's name may also find rates of another country. */
export async function findRatesOfPlaces(tx: Tx, places: readonly RatePlace[]): Promise<TableRate[]> {
  if (places.length === 0) return []
  const countries = [...new Set(places.map(({ country }) => country))]
  const regions = [...new Set(places.flatMap(({ region }) => region ?? []))]
  const ofRegions = regions.length === 0 ? empty : sql`or ${isOneOf(sql`r.region`, regions)}`
  const rows = await tx.query(sql`
    select ${TABLE_RATES.columns} from tax_rates r
     where r.business_id = ${tx.businessId} and ${isOneOf(sql`r.country`, countries)}
       and (r.region is null ${ofRegions})`)
  return rows.map(TABLE_RATES.read)
}

export async function deleteTaxRate(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`delete from tax_rates where business_id = ${tx.businessId} and id = ${id}`)
}

/** Reads rates that may hold together with the rate for one line: of its country, region and category, on one of its days. */
export async function findScopesBeside(
  tx: Tx,
  { country, region, category, validFrom, validUntil }: RateScope,
): Promise<StoredRate[]> {
  const rows = await tx.query(sql`
    select ${SCOPES.columns} from tax_rates r
     where r.business_id = ${tx.businessId} and r.country = ${country}
       and (${region}::text is null or r.region is null or r.region = ${region})
       and (${category}::text is null or r.category is null or r.category = ${category})
       and (r.valid_until is null or r.valid_until >= ${validFrom}::text::date)
       and (${validUntil}::text is null or r.valid_from <= ${validUntil}::text::date)
       and (r.valid_until is null or r.valid_until >= r.valid_from)`)
  return rows.map(SCOPES.read)
}

/** Changes when a rate of the countries is added or ended. */
export async function versionOfRates(tx: Tx, countries: readonly string[]): Promise<string> {
  if (countries.length === 0) return ''
  const [row] = await tx.query<{ version: string | null }>(sql`
    select md5(string_agg(r.id || coalesce(r.valid_until::text, ''), ' ' order by r.id)) as version from tax_rates r
     where r.business_id = ${tx.businessId} and ${isOneOf(sql`r.country`, countries)}`)
  return row?.version ?? ''
}

/** Read in pages, because thousands of rows at once hold the event loop. */
export async function* pagesOfCountries(
  tx: Tx,
  countries: readonly string[],
): AsyncGenerator<(TableRate & StoredScope)[]> {
  for (let after = '', size = PAGE; size === PAGE && countries.length > 0;) {
    const rows: { readonly id: string }[] = await tx.query(sql`
      select ${SCOPES.columns} from tax_rates r
       where r.business_id = ${tx.businessId} and r.id > ${after} and ${isOneOf(sql`r.country`, countries)}
       order by r.id limit ${PAGE}`)
    yield rows.map(SCOPES.read)
    after = rows.at(-1)?.id ?? after
    size = rows.length
  }
}

export async function findTaxRateIdByReference(tx: Tx, referenceId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from tax_rates where business_id = ${tx.businessId} and reference_id = ${referenceId}`)
  return row?.id
}

export async function listTaxRates(
  db: Database,
  businessId: string,
  filter: Sql | undefined,
  page: PageRequest,
): Promise<TaxRate[]> {
  const rows = await readFiltered(
    db,
    businessId,
    filter,
    (condition) => sql`
      select ${RATES.columns} from tax_rates r
       where r.business_id = ${businessId} and ${condition}
       ${rowsOfPage(page, sql`r.created_at`, sql`r.id`)}`,
  )
  return rows.map(RATES.read)
}

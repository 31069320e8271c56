import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { decimal, decimalToString } from '#kernel/decimal'
import type { FilterFields } from '#platform/filter/filter-sql'
import { readFiltered } from '#platform/filter/read-filtered'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { readMetadata, storedMetadata } from '#platform/http/validation/metadata'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import type { TableRate } from '../model/rate-table.ts'
import type { RateScope, TaxRate } from '../model/tax-rate.ts'

interface RateRow {
  id: string
  name: string
  country: string
  region: string | null
  category: string | null
  percentage: string
  valid_from: string
  valid_until: string | null
  reference_id: string | null
  metadata: string | null
  created_at: Instant
  updated_at: Instant
}

interface ScopeRow {
  name: string
  country: string
  region: string | null
  category: string | null
  valid_from: string
  valid_until: string | null
}

const PAGE = 2_000

const SCOPE_COLUMNS = sql`r.name, r.country, r.region, r.category, r.valid_from::text, r.valid_until::text`

const COLUMNS = sql`r.id, r.name, r.country, r.region, r.category, r.percentage, r.valid_from::text, r.valid_until::text,
       r.reference_id, r.metadata, r.created_at, r.updated_at`

export const TAX_RATE_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`r.id`, prefix: true },
  reference_id: { type: 'text', column: sql`r.reference_id`, prefix: true },
  created_at: { type: 'time', column: sql`r.created_at` },
}

const newRates = rowsAs<TaxRate>('n', {
  id: ['text', (r) => r.id],
  name: ['text', (r) => r.name],
  country: ['text', (r) => r.country],
  region: ['text', (r) => r.region],
  category: ['text', (r) => r.category],
  percentage: ['text', (r) => decimalToString(r.percentage)],
  valid_from: ['date', (r) => r.validFrom],
  valid_until: ['date', (r) => r.validUntil],
  reference_id: ['text', (r) => r.referenceId],
  metadata: ['json', (r) => storedMetadata(r.metadata)],
  created_at: ['timestamptz', (r) => toRfc3339(r.createdAt)],
})

/** Writers of a business's rates take turns, because two rates that overlap must not both be written. */
export async function lockTaxRates(tx: Tx): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`${tx.businessId} tax rates`}, 0))`)
}

export function insertTaxRates(tx: Tx, rates: readonly TaxRate[]): Promise<number> {
  return tx.execute(sql`
    insert into tax_rates (business_id, id, name, country, region, category, percentage, valid_from, valid_until,
                           reference_id, metadata, created_at, updated_at)
    select ${tx.businessId}, n.id, n.name, n.country, n.region, n.category, n.percentage, n.valid_from, n.valid_until,
           n.reference_id, n.metadata::jsonb, n.created_at, n.created_at
      from ${newRates(rates)}
    on conflict (business_id, reference_id) do nothing`)
}

export async function setValidUntil(tx: Tx, { id, validUntil, updatedAt }: TaxRate): Promise<void> {
  await tx.execute(sql`
    update tax_rates set valid_until = ${validUntil}::text::date, updated_at = ${toRfc3339(updatedAt)}
     where business_id = ${tx.businessId} and id = ${id}`)
}

export async function findTaxRate(tx: Tx, id: string): Promise<TaxRate | undefined> {
  const [row] = await tx.query<RateRow>(sql`
    select ${COLUMNS} from tax_rates r where r.business_id = ${tx.businessId} and r.id = ${id}`)
  return row && toRate(row)
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
  const rows = await tx.query<ScopeRow & { percentage: string }>(sql`
    select ${SCOPE_COLUMNS}, r.percentage from tax_rates r
     where r.business_id = ${tx.businessId} and ${isOneOf(sql`r.country`, countries)}
       and (r.region is null ${ofRegions})`)
  return rows.map((row) => ({ ...toScope(row), percentage: row.percentage }))
}

export interface StoredScope extends RateScope {
  readonly id: string
}

export type StoredRate = StoredScope & TableRate

export async function deleteTaxRate(tx: Tx, id: string): Promise<void> {
  await tx.execute(sql`delete from tax_rates where business_id = ${tx.businessId} and id = ${id}`)
}

/** Reads rates that may hold together with the rate for one line: of its country, region and category, on one of its days. */
export async function findScopesBeside(
  tx: Tx,
  { country, region, category, validFrom, validUntil }: RateScope,
): Promise<StoredRate[]> {
  const rows = await tx.query<ScopeRow & { id: string; percentage: string }>(sql`
    select r.id, r.percentage, ${SCOPE_COLUMNS} from tax_rates r
     where r.business_id = ${tx.businessId} and r.country = ${country}
       and (${region}::text is null or r.region is null or r.region = ${region})
       and (${category}::text is null or r.category is null or r.category = ${category})
       and (r.valid_until is null or r.valid_until >= ${validFrom}::text::date)
       and (${validUntil}::text is null or r.valid_from <= ${validUntil}::text::date)
       and (r.valid_until is null or r.valid_until >= r.valid_from)`)
  return rows.map((row) => ({ id: row.id, percentage: row.percentage, ...toScope(row) }))
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
    const rows: (ScopeRow & { id: string; percentage: string })[] = await tx.query(sql`
      select r.id, r.percentage, ${SCOPE_COLUMNS} from tax_rates r
       where r.business_id = ${tx.businessId} and r.id > ${after} and ${isOneOf(sql`r.country`, countries)}
       order by r.id limit ${PAGE}`)
    yield rows.map((row) => ({ id: row.id, percentage: row.percentage, ...toScope(row) }))
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
  const rows = await readFiltered<RateRow>(
    db,
    businessId,
    filter,
    (condition) => sql`
      select ${COLUMNS} from tax_rates r
       where r.business_id = ${businessId} and ${condition}
       ${rowsOfPage(page, sql`r.created_at`, sql`r.id`)}`,
  )
  return rows.map(toRate)
}

function toScope(row: ScopeRow): RateScope {
  return {
    name: row.name,
    country: row.country,
    region: row.region,
    category: row.category,
    validFrom: row.valid_from,
    validUntil: row.valid_until,
  }
}

function toRate(row: RateRow): TaxRate {
  return {
    id: row.id,
    name: row.name,
    country: row.country,
    region: row.region,
    category: row.category,
    percentage: decimal(row.percentage),
    validFrom: row.valid_from,
    validUntil: row.valid_until,
    referenceId: row.reference_id,
    metadata: readMetadata(row.metadata),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

import sql, { type Sql } from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { readFiltered } from '#platform/filter/read-filtered'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { readMetadata, storedMetadata } from '#platform/http/validation/metadata'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import type { LegalEntity, NumberSeries, Registration } from '../model/legal-entity.ts'
import type { Address, TaxId } from '../model/party.ts'

interface EntityRow {
  id: string
  name: string
  address: string
  tax_ids: string
  registrations: string
  oss: boolean
  bank: string | null
  tax_rounding: LegalEntity['taxRounding']
  series: string
  footer: string | null
  reference_id: string | null
  metadata: string | null
  created_at: Instant
  updated_at: Instant
}

const COLUMNS = sql`e.id, e.name, e.address::text, e.tax_ids::text, e.registrations::text, e.oss, e.bank::text,
       e.tax_rounding, e.series::text, e.footer, e.reference_id, e.metadata, e.created_at, e.updated_at`

export const LEGAL_ENTITY_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`e.id`, prefix: true },
  reference_id: { type: 'text', column: sql`e.reference_id`, prefix: true },
  created_at: { type: 'time', column: sql`e.created_at` },
}

export async function insertLegalEntity(tx: Tx, entity: LegalEntity): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into legal_entities (business_id, id, name, address, tax_ids, registrations, oss, bank, tax_rounding,
                                series, footer, reference_id, metadata, created_at, updated_at)
    values (${tx.businessId}, ${entity.id}, ${entity.name}, ${JSON.stringify(entity.address)}::text::jsonb,
            ${JSON.stringify(entity.taxIds)}::text::jsonb, ${JSON.stringify(entity.registrations)}::text::jsonb,
            ${entity.oss}, ${storedBank(entity)}::text::jsonb, ${entity.taxRounding},
            ${JSON.stringify(entity.series)}::text::jsonb, ${entity.footer}, ${entity.referenceId},
            ${storedMetadata(entity.metadata)}::jsonb, ${toRfc3339(entity.createdAt)}, ${toRfc3339(entity.updatedAt)})
    on conflict (business_id, reference_id) do nothing`)
  return inserted === 1
}

export async function updateLegalEntity(tx: Tx, entity: LegalEntity): Promise<void> {
  await tx.execute(sql`
    update legal_entities
       set name = ${entity.name}, address = ${JSON.stringify(entity.address)}::text::jsonb,
           tax_ids = ${JSON.stringify(entity.taxIds)}::text::jsonb,
           registrations = ${JSON.stringify(entity.registrations)}::text::jsonb, oss = ${entity.oss},
           bank = ${storedBank(entity)}::text::jsonb, tax_rounding = ${entity.taxRounding},
           series = ${JSON.stringify(entity.series)}::text::jsonb, footer = ${entity.footer},
           metadata = ${storedMetadata(entity.metadata)}::jsonb, updated_at = ${toRfc3339(entity.updatedAt)}
     where business_id = ${tx.businessId} and id = ${entity.id}`)
}

export async function findLegalEntity(tx: Tx, id: string): Promise<LegalEntity | undefined> {
  return (await findLegalEntities(tx, [id])).get(id)
}

export async function findLegalEntities(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, LegalEntity>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.query<EntityRow>(sql`
    select ${COLUMNS} from legal_entities e
     where e.business_id = ${tx.businessId} and ${isOneOf(sql`e.id`, [...new Set(ids)])}`)
  return new Map(rows.map((row) => [row.id, toEntity(row)]))
}

export async function findLegalEntityIds(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from legal_entities where business_id = ${tx.businessId} order by id`)
  return rows.map(({ id }) => id)
}

export async function lockLegalEntity(tx: Tx, id: string): Promise<LegalEntity | undefined> {
  const [row] = await tx.query<EntityRow>(sql`
    select ${COLUMNS} from legal_entities e
     where e.business_id = ${tx.businessId} and e.id = ${id} for no key update`)
  return row && toEntity(row)
}

export async function findLegalEntityIdByReference(tx: Tx, referenceId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from legal_entities where business_id = ${tx.businessId} and reference_id = ${referenceId}`)
  return row?.id
}

export async function listLegalEntities(
  db: Database,
  businessId: string,
  filter: Sql | undefined,
  page: PageRequest,
): Promise<LegalEntity[]> {
  const rows = await readFiltered<EntityRow>(
    db,
    businessId,
    filter,
    (condition) => sql`
      select ${COLUMNS} from legal_entities e
       where e.business_id = ${businessId} and ${condition}
       ${rowsOfPage(page, sql`e.created_at`, sql`e.id`)}`,
  )
  return rows.map(toEntity)
}

function storedBank({ bank }: LegalEntity): string | null {
  return bank === null ? null : JSON.stringify(bank)
}

function toEntity(row: EntityRow): LegalEntity {
  return {
    id: row.id,
    name: row.name,
    address: JSON.parse(row.address) as Address,
    taxIds: JSON.parse(row.tax_ids) as TaxId[],
    registrations: JSON.parse(row.registrations) as Registration[],
    oss: row.oss,
    bank: row.bank === null ? null : (JSON.parse(row.bank) as LegalEntity['bank']),
    taxRounding: row.tax_rounding,
    series: JSON.parse(row.series) as NumberSeries[],
    footer: row.footer,
    referenceId: row.reference_id,
    metadata: readMetadata(row.metadata),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

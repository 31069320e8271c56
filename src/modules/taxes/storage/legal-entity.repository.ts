import sql, { type Sql } from 'sql-template-tag'
import type { FilterFields } from '#platform/filter/filter-sql'
import { readFiltered } from '#platform/filter/read-filtered'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { json, table } from '#platform/postgres/table'
import type { LegalEntity } from '../model/legal-entity.ts'

const LEGAL_ENTITIES = table<LegalEntity>('e', {
  id: 'text',
  name: 'text',
  currency: 'text',
  address: json(),
  taxIds: json(),
  registrations: json(),
  oss: 'boolean',
  bank: json(),
  electronicAddress: json(),
  contact: json(),
  taxRounding: 'text',
  series: json(),
  footer: 'text',
  referenceId: 'text',
  metadata: json(),
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
})

const CHANGED = LEGAL_ENTITIES.without('id', 'referenceId', 'createdAt')

export const LEGAL_ENTITY_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`e.id`, prefix: true },
  reference_id: { type: 'text', column: sql`e.reference_id`, prefix: true },
  created_at: { type: 'time', column: sql`e.created_at` },
}

export async function insertLegalEntity(tx: Tx, entity: LegalEntity): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into legal_entities ${LEGAL_ENTITIES.values(tx.businessId, [entity])}
    on conflict (business_id, reference_id) do nothing`)
  return inserted === 1
}

export async function updateLegalEntity(tx: Tx, entity: LegalEntity): Promise<void> {
  await tx.execute(sql`
    update legal_entities set ${CHANGED.set(entity)}
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
  const rows = await tx.query(sql`
    select ${LEGAL_ENTITIES.columns} from legal_entities e
     where e.business_id = ${tx.businessId} and ${isOneOf(sql`e.id`, [...new Set(ids)])}`)
  return new Map(rows.map(LEGAL_ENTITIES.read).map((entity) => [entity.id, entity]))
}

export async function findLegalEntityIds(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(sql`
    select id from legal_entities where business_id = ${tx.businessId} order by id`)
  return rows.map(({ id }) => id)
}

export async function lockLegalEntity(tx: Tx, id: string): Promise<LegalEntity | undefined> {
  const [row] = await tx.query(sql`
    select ${LEGAL_ENTITIES.columns} from legal_entities e
     where e.business_id = ${tx.businessId} and e.id = ${id} for no key update`)
  return row && LEGAL_ENTITIES.read(row)
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
  const rows = await readFiltered(
    db,
    businessId,
    filter,
    (condition) => sql`
      select ${LEGAL_ENTITIES.columns} from legal_entities e
       where e.business_id = ${businessId} and ${condition}
       ${rowsOfPage(page, sql`e.created_at`, sql`e.id`)}`,
  )
  return rows.map(LEGAL_ENTITIES.read)
}

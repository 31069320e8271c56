import sql, { type Sql } from 'sql-template-tag'
import { type Instant, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { readFiltered } from '#platform/filter/read-filtered'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { readMetadata, storedMetadata } from '#platform/http/validation/metadata'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import type { Product } from '../model/catalogue.ts'

interface ProductRow {
  id: string
  name: string
  description: string | null
  tax_category: string
  unit_label: string | null
  reference_id: string | null
  metadata: string | null
  archived_at: Instant | null
  created_at: Instant
  updated_at: Instant
}

const COLUMNS = sql`p.id, p.name, p.description, p.tax_category, p.unit_label, p.reference_id, p.metadata,
       p.archived_at, p.created_at, p.updated_at`

export const PRODUCT_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`p.id`, prefix: true },
  reference_id: { type: 'text', column: sql`p.reference_id`, prefix: true },
  state: {
    type: 'enum',
    column: sql`case when p.archived_at is null then 'active' else 'archived' end`,
    values: ['active', 'archived'],
  },
  created_at: { type: 'time', column: sql`p.created_at` },
}

export async function insertProduct(tx: Tx, product: Product): Promise<boolean> {
  const inserted = await tx.execute(sql`
    insert into products (business_id, id, name, description, tax_category, unit_label, reference_id, metadata,
                          created_at, updated_at)
    values (${tx.businessId}, ${product.id}, ${product.name}, ${product.description}, ${product.taxCategory},
            ${product.unitLabel}, ${product.referenceId}, ${storedMetadata(product.metadata)}::jsonb,
            ${toRfc3339(product.createdAt)}, ${toRfc3339(product.updatedAt)})
    on conflict (business_id, reference_id) do nothing`)
  return inserted === 1
}

export async function updateProduct(tx: Tx, product: Product): Promise<void> {
  await tx.execute(sql`
    update products
       set name = ${product.name}, description = ${product.description}, unit_label = ${product.unitLabel},
           metadata = ${storedMetadata(product.metadata)}::jsonb, archived_at = ${rfc3339OrNull(product.archivedAt)},
           updated_at = ${toRfc3339(product.updatedAt)}
     where business_id = ${tx.businessId} and id = ${product.id}`)
}

export async function findProduct(
  db: Database,
  businessId: string,
  id: string,
): Promise<Product | undefined> {
  const [row] = await db.read<ProductRow>(
    businessId,
    sql`select ${COLUMNS} from products p where p.business_id = ${businessId} and p.id = ${id}`,
  )
  return row && toProduct(row)
}

export async function lockProduct(tx: Tx, id: string): Promise<Product | undefined> {
  const [row] = await tx.query<ProductRow>(sql`
    select ${COLUMNS} from products p where p.business_id = ${tx.businessId} and p.id = ${id} for update`)
  return row && toProduct(row)
}

export async function findProductIdByReference(tx: Tx, referenceId: string): Promise<string | undefined> {
  const [row] = await tx.query<{ id: string }>(sql`
    select id from products where business_id = ${tx.businessId} and reference_id = ${referenceId}`)
  return row?.id
}

export async function findProductIds(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ id: string }>(sql`
    select p.id from products p where p.business_id = ${tx.businessId} and ${isOneOf(sql`p.id`, ids)}`)
  return new Set(rows.map(({ id }) => id))
}

export async function listProducts(
  db: Database,
  businessId: string,
  filter: Sql | undefined,
  page: PageRequest,
): Promise<Product[]> {
  const rows = await readFiltered<ProductRow>(
    db,
    businessId,
    filter,
    (condition) => sql`
      select ${COLUMNS} from products p
       where p.business_id = ${businessId} and ${condition}
       ${rowsOfPage(page, sql`p.created_at`, sql`p.id`)}`,
  )
  return rows.map(toProduct)
}

function toProduct(row: ProductRow): Product {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    taxCategory: row.tax_category,
    unitLabel: row.unit_label,
    referenceId: row.reference_id,
    metadata: readMetadata(row.metadata),
    archivedAt: row.archived_at,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

import sql, { type Sql } from 'sql-template-tag'
import type { FilterFields } from '#platform/filter/filter-sql'
import { readFiltered } from '#platform/filter/read-filtered'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import type { Database, Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { json, table } from '#platform/postgres/table'
import type { Product } from '../model/catalogue.ts'

const PRODUCTS = table<Product>('p', {
  id: 'text',
  name: 'text',
  description: 'text',
  taxCategory: 'text',
  unitLabel: 'text',
  referenceId: 'text',
  metadata: json(),
  archivedAt: 'timestamptz',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
})

const CHANGED = PRODUCTS.without('id', 'taxCategory', 'referenceId', 'createdAt')

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
    insert into products ${PRODUCTS.values(tx.businessId, [product])}
    on conflict (business_id, reference_id) do nothing`)
  return inserted === 1
}

export async function updateProduct(tx: Tx, product: Product): Promise<void> {
  await tx.execute(sql`
    update products set ${CHANGED.set(product)}
     where business_id = ${tx.businessId} and id = ${product.id}`)
}

export async function findProduct(
  db: Database,
  businessId: string,
  id: string,
): Promise<Product | undefined> {
  const [row] = await db.read(
    businessId,
    sql`select ${PRODUCTS.columns} from products p where p.business_id = ${businessId} and p.id = ${id}`,
  )
  return row && PRODUCTS.read(row)
}

export async function lockProduct(tx: Tx, id: string): Promise<Product | undefined> {
  const [row] = await tx.query(sql`
    select ${PRODUCTS.columns} from products p where p.business_id = ${tx.businessId} and p.id = ${id} for update`)
  return row && PRODUCTS.read(row)
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
  const rows = await readFiltered(
    db,
    businessId,
    filter,
    (condition) => sql`
      select ${PRODUCTS.columns} from products p
       where p.business_id = ${businessId} and ${condition}
       ${rowsOfPage(page, sql`p.created_at`, sql`p.id`)}`,
  )
  return rows.map(PRODUCTS.read)
}

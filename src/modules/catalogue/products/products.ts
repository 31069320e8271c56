import { newId } from '#kernel/ids'
import { STANDARD_TAX } from '#modules/taxes'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import { editMetadata } from '#platform/http/validation/metadata'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { CatalogueContext } from '../context.ts'
import type { NewProduct, ProductEdit } from '../requests/products.ts'
import { referenceTaken } from '../requests/reference-taken.ts'
import { errors } from '../errors.ts'
import type { CatalogueEvent, Product } from '../model/catalogue.ts'
import {
  findProduct,
  findProductIdByReference,
  insertProduct,
  listProducts,
  lockProduct,
  PRODUCT_FIELDS,
  updateProduct,
} from '../storage/product.repository.ts'

export function createProduct(ctx: CatalogueContext, caller: Caller, request: NewProduct): Promise<Product> {
  return once(ctx.db, caller, async (tx) => {
    const product: Product = {
      id: newId('prd'),
      name: request.name,
      description: request.description ?? null,
      taxCategory: request.tax_category ?? STANDARD_TAX,
      unitLabel: request.unit_label ?? null,
      referenceId: request.reference_id ?? null,
      metadata: editMetadata(null, request.metadata, 'product.metadata'),
      archivedAt: null,
      createdAt: tx.now,
      updatedAt: tx.now,
    }
    if (!(await insertProduct(tx, product))) {
      throw referenceTaken('product', await findProductIdByReference(tx, request.reference_id ?? ''))
    }
    await recordEvent(ctx, tx, 'product.created', product)
    return product
  })
}

export function editProduct(
  ctx: CatalogueContext,
  caller: Caller,
  id: string,
  edit: ProductEdit,
): Promise<Product> {
  return once(ctx.db, caller, async (tx) => {
    const before = await requireLocked(tx, id)
    const product: Product = {
      ...before,
      name: edit.name ?? before.name,
      description: edit.description === undefined ? before.description : edit.description,
      unitLabel: edit.unit_label === undefined ? before.unitLabel : edit.unit_label,
      metadata: editMetadata(before.metadata, edit.metadata, 'product.metadata'),
      updatedAt: tx.now,
    }
    await updateProduct(tx, product)
    await recordEvent(ctx, tx, 'product.updated', product)
    return product
  })
}

export function archiveProduct(ctx: CatalogueContext, caller: Caller, id: string): Promise<Product> {
  return once(ctx.db, caller, async (tx) => {
    const before = await requireLocked(tx, id)
    if (before.archivedAt !== null) return before
    const product: Product = { ...before, archivedAt: tx.now, updatedAt: tx.now }
    await updateProduct(tx, product)
    await recordEvent(ctx, tx, 'product.archived', product)
    return product
  })
}

export async function productById(ctx: CatalogueContext, caller: Caller, id: string): Promise<Product> {
  const product = await findProduct(ctx.db, caller.businessId, id)
  if (product === undefined) throw errors.product_not_found()
  return product
}

export async function productsOfPage(
  ctx: CatalogueContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<Product[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filter === undefined ? undefined : filterCondition(filter, PRODUCT_FIELDS, timeZone)
  return listProducts(ctx.db, businessId, condition, request)
}

async function requireLocked(tx: Tx, id: string): Promise<Product> {
  const product = await lockProduct(tx, id)
  if (product === undefined) throw errors.product_not_found()
  return product
}

async function recordEvent(
  ctx: CatalogueContext,
  tx: Tx,
  type: CatalogueEvent,
  product: Product,
): Promise<void> {
  const data = ctx.present.product(product)
  await ctx.events.append(tx, [{ type, objectId: product.id, timestamp: tx.now, data }])
}

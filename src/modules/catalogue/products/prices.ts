import { isCurrency } from '#kernel/currencies'
import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import { editMetadata } from '#platform/http/validation/metadata'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { CatalogueContext } from '../context.ts'
import type { NewPrice, NewVersion } from '../requests/products.ts'
import { referenceTaken } from '../requests/reference-taken.ts'
import { errors } from '../errors.ts'
import type { CatalogueEvent, Product, RecurringItem } from '../model/catalogue.ts'
import {
  findItem,
  findPriceIdByReference,
  insertPrice,
  listPrices,
  lockItem,
  PRICE_FIELDS,
  supersedeItem,
} from '../storage/price.repository.ts'
import { lockProduct } from '../storage/product.repository.ts'
import { supersededData } from './decide-offered.ts'
import { priceOfOne, readPricing, pricingMembersOf } from './read-pricing.ts'

/** @throws 404 unknown product; 409 archived product, or the reference id is taken; 422 `price_inconsistent` */
export function createPrice(
  ctx: CatalogueContext,
  caller: Caller,
  request: NewPrice,
): Promise<RecurringItem> {
  const { currency } = request
  if (!isCurrency(currency)) throw errors.plan_currency_unknown({ param: 'price.currency' })
  const pricing = readPricing(request)
  const price = priceOfOne(pricing, currency)
  return once(ctx.db, caller, async (tx) => {
    const product = await requireProduct(tx, request.product_id)
    const item: RecurringItem = {
      id: newId('prc'),
      productId: product.id,
      label: request.label ?? product.name,
      price,
      pricing,
      taxBehavior: request.tax_behavior ?? 'exclusive',
      taxCategory: product.taxCategory,
      version: 1,
      supersededBy: null,
      referenceId: request.reference_id ?? null,
      description: null,
      metadata: editMetadata(null, request.metadata, 'price.metadata'),
      createdAt: tx.now,
    }
    await insert(tx, item)
    await recordEvents(ctx, tx, [['price.created', item]])
    return item
  })
}

/**
 * Makes the next version of a price. Members that are left out stay, but for those that the new model does not have; a
 * `reference_id` does not pass on.
 * @throws 404; 409 superseded already, or archived product, or the reference id is taken; 422 `price_inconsistent`
 */
export function createPriceVersion(
  ctx: CatalogueContext,
  caller: Caller,
  id: string,
  request: NewVersion,
): Promise<RecurringItem> {
  return once(ctx.db, caller, async (tx) => {
    const before = await lockItem(tx, id)
    if (before === undefined) throw errors.price_not_found()
    if (before.supersededBy !== null) throw errors.price_superseded({ data: supersededData(before) })
    if (before.productId !== null) await requireProduct(tx, before.productId)
    const pricing = readPricing({ ...pricingMembersOf(before.pricing, request.model), ...request })
    const next: RecurringItem = {
      ...before,
      id: newId('prc'),
      label: request.label ?? before.label,
      price: priceOfOne(pricing, before.price.currency),
      pricing,
      taxBehavior: request.tax_behavior ?? before.taxBehavior,
      version: before.version + 1,
      referenceId: request.reference_id ?? null,
      metadata: editMetadata(before.metadata, request.metadata, 'price.metadata'),
      createdAt: tx.now,
    }
    await insert(tx, next)
    await supersedeItem(tx, before.id, next.id)
    await recordEvents(ctx, tx, [
      ['price.created', next],
      ['price.superseded', { ...before, supersededBy: next.id }],
    ])
    return next
  })
}

export async function priceById(ctx: CatalogueContext, caller: Caller, id: string): Promise<RecurringItem> {
  const price = await findItem(ctx.db, caller.businessId, id)
  if (price === undefined) throw errors.price_not_found()
  return price
}

export async function pricesOfPage(
  ctx: CatalogueContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<RecurringItem[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filter === undefined ? undefined : filterCondition(filter, PRICE_FIELDS, timeZone)
  return listPrices(ctx.db, businessId, condition, request)
}

async function requireProduct(tx: Tx, id: string): Promise<Product> {
  const product = await lockProduct(tx, id)
  if (product === undefined) throw errors.product_not_found({ param: 'price.product_id' })
  if (product.archivedAt !== null) throw errors.product_archived({ param: 'price.product_id' })
  return product
}

async function insert(tx: Tx, price: RecurringItem): Promise<void> {
  if (await insertPrice(tx, price)) return
  const id = await findPriceIdByReference(tx, price.referenceId ?? '')
  throw referenceTaken('price', id)
}

async function recordEvents(
  ctx: CatalogueContext,
  tx: Tx,
  changes: readonly (readonly [CatalogueEvent, RecurringItem])[],
): Promise<void> {
  const events = changes.map(([type, price]) => ({
    type,
    objectId: price.id,
    timestamp: tx.now,
    data: ctx.present.price(price),
  }))
  await ctx.events.append(tx, events)
}

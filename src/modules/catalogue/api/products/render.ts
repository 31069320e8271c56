import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import { type Decimal, decimalToString } from '#kernel/decimal'
import { rawNumber } from '#kernel/json'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import type { Product, RecurringItem } from '../../model/catalogue.ts'
import type {
  PriceData,
  PriceSchema,
  PricesPage,
  ProductData,
  ProductSchema,
  ProductsPage,
} from './schemas.ts'

export function renderProductData(product: Product): Static<typeof ProductData> {
  return { product: renderProduct(product) }
}

export function renderProductsPage(
  request: PageRequest,
  found: readonly Product[],
): Static<typeof ProductsPage> {
  const { rows, page } = renderPage(request, found, createdKey, renderProduct)
  return { products: rows, page }
}

export function renderPriceData(price: RecurringItem): Static<typeof PriceData> {
  return { price: renderPrice(price) }
}

export function renderPricesPage(
  request: PageRequest,
  found: readonly RecurringItem[],
): Static<typeof PricesPage> {
  const { rows, page } = renderPage(request, found, createdKey, renderPrice)
  return { prices: rows, page }
}

function createdKey({ createdAt, id }: Product | RecurringItem) {
  return { at: createdAt, id }
}

function renderProduct(product: Product): Static<typeof ProductSchema> {
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    tax_category: product.taxCategory,
    unit_label: product.unitLabel,
    state: product.archivedAt === null ? 'active' : 'archived',
    reference_id: product.referenceId,
    ...(product.metadata !== null && { metadata: product.metadata }),
    created_at: toRfc3339(product.createdAt),
    updated_at: toRfc3339(product.updatedAt),
  }
}

function renderPrice(price: RecurringItem): Static<typeof PriceSchema> {
  const { pricing } = price
  return {
    id: price.id,
    product_id: price.productId,
    label: price.label,
    currency: price.price.currency,
    model: pricing.model,
    unit_amount: 'unitAmount' in pricing ? numberOf(pricing.unitAmount) : null,
    package_size: 'packageSize' in pricing ? pricing.packageSize : null,
    tiers:
      'tiers' in pricing
        ? pricing.tiers.map(({ upTo, unitAmount, flatAmount }) => ({
            up_to: upTo && numberOf(upTo),
            unit_amount: numberOf(unitAmount),
            flat_amount: flatAmount && numberOf(flatAmount),
          }))
        : null,
    tax_behavior: price.taxBehavior,
    version: price.version,
    state: price.supersededBy === null ? 'active' : 'superseded',
    superseded_by: price.supersededBy,
    reference_id: price.referenceId,
    ...(price.metadata !== null && { metadata: price.metadata }),
    created_at: toRfc3339(price.createdAt),
  }
}

function numberOf(value: Decimal): unknown {
  return rawNumber(decimalToString(value))
}

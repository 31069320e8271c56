import { defineRoute, type Route } from '#platform/http/routes/route'
import { filteredListQuery, readPage } from '#platform/http/validation/list'
import { IdParams } from '#platform/http/validation/schemas'
import { createPrice, createPriceVersion, priceById, pricesOfPage } from '../../products/prices.ts'
import {
  archiveProduct,
  createProduct,
  editProduct,
  productById,
  productsOfPage,
} from '../../products/products.ts'
import type { CatalogueContext } from '../../context.ts'
import { PRICE_FIELDS } from '../../storage/price.repository.ts'
import { PRODUCT_FIELDS } from '../../storage/product.repository.ts'
import { renderPriceData, renderPricesPage, renderProductData, renderProductsPage } from './render.ts'
import {
  CreatePriceBody,
  CreatePriceVersionBody,
  CreateProductBody,
  EditProductBody,
  PriceData,
  PricesPage,
  ProductData,
  ProductsPage,
  OTHER_PRICE,
  PRODUCT_EXISTS,
} from './schemas.ts'

const BASE = '/svc/billing/api/v1/openapi'
const TAG = 'Catalogue'

export function productAndPriceRoutes(ctx: CatalogueContext): Route[] {
  return [...productRoutes(ctx), ...priceRoutes(ctx)]
}

function productRoutes(ctx: CatalogueContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/products`,
      scope: 'recurring:write',
      summary: 'Create a product',
      tag: TAG,
      body: CreateProductBody,
      example: { product: { name: 'Team', unit_label: 'seat', reference_id: 'team' } },
      data: ProductData,
      failures: { 409: PRODUCT_EXISTS },
      handle: ({ caller, body }) => createProduct(ctx, caller, body.product),
      render: renderProductData,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/products`,
      scope: 'recurring:read',
      summary: 'List products',
      tag: TAG,
      query: filteredListQuery(PRODUCT_FIELDS),
      data: ProductsPage,
      handle: async ({ caller, query }) => {
        const request = readPage('products', query)
        return renderProductsPage(request, await productsOfPage(ctx, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/products/:id`,
      scope: 'recurring:read',
      summary: 'Get a product',
      tag: TAG,
      params: IdParams,
      data: ProductData,
      handle: ({ caller, params }) => productById(ctx, caller, params.id),
      render: renderProductData,
    }),
    defineRoute({
      method: 'PUT',
      path: `${BASE}/products/:id`,
      scope: 'recurring:write',
      summary: 'Edit a product',
      description: 'Members that are left out stay. Prices keep the labels that they were made with.',
      tag: TAG,
      params: IdParams,
      body: EditProductBody,
      example: { product: { description: 'For teams of up to 50 people' } },
      data: ProductData,
      handle: ({ caller, params, body }) => editProduct(ctx, caller, params.id, body.product),
      render: renderProductData,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/products/:id/archive`,
      scope: 'recurring:write',
      summary: 'Archive a product',
      description: 'New plans and changes cannot take its prices. Plans that have them go on.',
      tag: TAG,
      params: IdParams,
      data: ProductData,
      handle: ({ caller, params }) => archiveProduct(ctx, caller, params.id),
      render: renderProductData,
    }),
  ]
}

function priceRoutes(ctx: CatalogueContext): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: `${BASE}/prices`,
      scope: 'recurring:write',
      summary: 'Create a price',
      description: 'Its id goes wherever a `recurring_item_id` does.',
      tag: TAG,
      body: CreatePriceBody,
      example: {
        price: {
          product_id: 'prd_01m82g27rde57v77qfb3qj2d2m',
          currency: 'EUR',
          model: 'graduated',
          tiers: [
            { up_to: 10, unit_amount: 9 },
            { up_to: null, unit_amount: 7.5 },
          ],
        },
      },
      data: PriceData,
      failures: { 409: OTHER_PRICE },
      handle: ({ caller, body }) => createPrice(ctx, caller, body.price),
      render: renderPriceData,
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/prices`,
      scope: 'recurring:read',
      summary: 'List prices',
      description: 'Recurring items that were made without a product are prices, too.',
      tag: TAG,
      query: filteredListQuery(PRICE_FIELDS),
      data: PricesPage,
      handle: async ({ caller, query }) => {
        const request = readPage('prices', query)
        return renderPricesPage(request, await pricesOfPage(ctx, caller, query.filter, request))
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${BASE}/prices/:id`,
      scope: 'recurring:read',
      summary: 'Get a price',
      tag: TAG,
      params: IdParams,
      data: PriceData,
      handle: ({ caller, params }) => priceById(ctx, caller, params.id),
      render: renderPriceData,
    }),
    defineRoute({
      method: 'POST',
      path: `${BASE}/prices/:id/versions`,
      scope: 'recurring:write',
      summary: 'Make the next version of a price',
      description:
        'Members that are left out are those of the price. Plans that have the price keep it; nobody else can take it any more.',
      tag: TAG,
      params: IdParams,
      body: CreatePriceVersionBody,
      example: { price: { unit_amount: 12 } },
      data: PriceData,
      failures: { 409: OTHER_PRICE },
      handle: ({ caller, params, body }) => createPriceVersion(ctx, caller, params.id, body.price),
      render: renderPriceData,
    }),
  ]
}

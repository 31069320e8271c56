import { defineModule } from '#platform/module'
import { couponRoutes } from './api/coupons/routes.ts'
import { renderCouponData } from './api/coupons/render.ts'
import { itemRoutes } from './api/items/routes.ts'
import { dunningPolicyRoutes, renderDunningPolicyData } from './api/policies/routes.ts'
import { renderPriceData, renderProductData } from './api/products/render.ts'
import { productAndPriceRoutes } from './api/products/routes.ts'
import type { CatalogueContext } from './context.ts'
import type { CatalogueDependencies } from './dependencies.ts'
import { errors } from './errors.ts'

export { renderCouponTerms } from './api/coupons/render.ts'
export { couponTerms } from './api/coupons/schemas.ts'
export { CATALOGUE_EVENTS } from './api/events.ts'
export { renderConfig, renderItem } from './api/items/render.ts'
export { BillingConfigSchema, ItemSchema } from './api/items/schemas.ts'
export { OTHER_PRICE } from './api/products/schemas.ts'

export const catalogueModule = defineModule({
  name: 'catalogue',
  errors: errors.catalogue,
  connect: (deps: CatalogueDependencies) => ({
    routes: [],
    catalogueRoutes: routesOf(contextOf(deps)),
  }),
})

export type CatalogueRoutes = ReturnType<typeof routesOf>

/** The module of billing serves them: the API's description lists them between the routes of plans. */
function routesOf(ctx: CatalogueContext) {
  return {
    items: itemRoutes(ctx),
    products: productAndPriceRoutes(ctx),
    coupons: couponRoutes(ctx),
    dunningPolicies: dunningPolicyRoutes(ctx),
  }
}

export function contextOf(deps: CatalogueDependencies): CatalogueContext {
  return {
    ...deps,
    present: {
      product: renderProductData,
      price: renderPriceData,
      coupon: renderCouponData,
      dunningPolicy: renderDunningPolicyData,
    },
  }
}

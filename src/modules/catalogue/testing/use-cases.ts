import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import { rendered } from '#platform/testing/requests'
import { renderConfigData, renderConfigsPage, renderItemData, renderItemsPage } from '../api/items/render.ts'
import {
  renderPriceData,
  renderPricesPage,
  renderProductData,
  renderProductsPage,
} from '../api/products/render.ts'
import { renderDunningPoliciesPage, renderDunningPolicyData } from '../api/policies/routes.ts'
import {
  renderCouponData,
  renderCouponsPage,
  renderPromotionCodeData,
  renderPromotionCodesPage,
} from '../api/coupons/render.ts'
import { couponById, couponsOfPage, createCoupon, editCoupon } from '../coupons/coupons.ts'
import { createPromotionCode, promotionCodeById, promotionCodesOfPage } from '../coupons/promotion-codes.ts'
import {
  archiveProduct,
  createProduct,
  editProduct,
  productById,
  productsOfPage,
} from '../products/products.ts'
import { createPrice, createPriceVersion, priceById, pricesOfPage } from '../products/prices.ts'
import { createBillingConfig } from '../items/create-billing-config.ts'
import { createItem } from '../items/create-item.ts'
import {
  createDunningPolicy,
  dunningPoliciesOfPage,
  dunningPolicyById,
  editDunningPolicy,
} from '../policies/dunning-policies.ts'
import { listConfigs, listPrices } from '../storage/price.repository.ts'
import type { CatalogueContext } from '../context.ts'
import type { CatalogueDependencies } from '../dependencies.ts'
import { contextOf } from '../module.ts'

/** The use cases of the module with the data that their routes reply. */
export function catalogueUseCases(deps: CatalogueDependencies) {
  const ctx = contextOf(deps)
  const bind =
    <Args extends unknown[], Result>(useCase: (ctx: CatalogueContext, ...args: Args) => Result) =>
    (...args: Args): Result =>
      useCase(ctx, ...args)
  return {
    createItem: rendered(bind(createItem), renderItemData),
    createProduct: rendered(bind(createProduct), renderProductData),
    editProduct: rendered(bind(editProduct), renderProductData),
    archiveProduct: rendered(bind(archiveProduct), renderProductData),
    product: rendered(bind(productById), renderProductData),
    createPrice: rendered(bind(createPrice), renderPriceData),
    createPriceVersion: rendered(bind(createPriceVersion), renderPriceData),
    price: rendered(bind(priceById), renderPriceData),
    pricesPage: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderPricesPage(request, await pricesOfPage(ctx, caller, filter, request)),
    productsPage: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderProductsPage(request, await productsOfPage(ctx, caller, filter, request)),
    createPolicy: rendered(bind(createDunningPolicy), renderDunningPolicyData),
    editPolicy: rendered(bind(editDunningPolicy), renderDunningPolicyData),
    policy: rendered(bind(dunningPolicyById), renderDunningPolicyData),
    policiesPage: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderDunningPoliciesPage(request, await dunningPoliciesOfPage(ctx, caller, filter, request)),
    createCoupon: rendered(bind(createCoupon), renderCouponData),
    editCoupon: rendered(bind(editCoupon), renderCouponData),
    coupon: rendered(bind(couponById), renderCouponData),
    couponsPage: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderCouponsPage(request, await couponsOfPage(ctx, caller, filter, request)),
    createPromotionCode: rendered(bind(createPromotionCode), renderPromotionCodeData),
    promotionCode: rendered(bind(promotionCodeById), renderPromotionCodeData),
    promotionCodesPage: async (caller: Caller, filter: string | undefined, request: PageRequest) =>
      renderPromotionCodesPage(request, await promotionCodesOfPage(ctx, caller, filter, request)),
    createBillingConfig: rendered(bind(createBillingConfig), renderConfigData),
    itemsPage: async ({ businessId }: Caller, request: PageRequest) =>
      renderItemsPage(request, await listPrices(ctx.db, businessId, undefined, request)),
    billingConfigsPage: async ({ businessId }: Caller, request: PageRequest) =>
      renderConfigsPage(request, await listConfigs(ctx.db, businessId, request)),
  }
}

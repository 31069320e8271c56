export { errors as catalogueErrors } from './errors.ts'
export type { NewBillingConfig } from './items/create-billing-config.ts'
export {
  type BillingConfigRecord,
  type CycleItem,
  type OfferedItem,
  pricedItem,
  type RecurringItem,
  WITHOUT_PRODUCT,
} from './model/catalogue.ts'
export {
  codeKey,
  type Coupon,
  hasPassed,
  MAX_PLAN_COUPONS,
  type PlanCoupon,
  type PromotionCode,
  redemptionState,
} from './model/coupon.ts'
export {
  type DunningPolicy,
  type DunningProgress,
  type DunningStep,
  retryNumbers,
  type SoftSteps,
} from './model/dunning-policy.ts'
export { stepOf } from './model/step-members.ts'
export { type CouponTerms, type Discount, DISCOUNT_TYPES, type Line, type PricedLine } from './model/line.ts'
export {
  BillingConfigSchema,
  CATALOGUE_EVENTS,
  catalogueModule,
  type CatalogueRoutes,
  couponTerms,
  ItemSchema,
  OTHER_PRICE,
  renderConfig,
  renderCouponTerms,
  renderItem,
} from './module.ts'
export type { NewDunningPolicy } from './model/dunning-policy-requests.ts'
export { policyOfPlan } from './policies/dunning-policies.ts'
export { decideOffered, type OfferRefusal } from './products/decide-offered.ts'
export type { NewCoupon, NewPromotionCode } from './requests/coupons.ts'
export { countRedemptions, COUPONS, findCoupons } from './storage/coupon.repository.ts'
export { findDunningPolicies, readProgress, storedProgress } from './storage/dunning-policy.repository.ts'
export {
  CONFIG_COLUMNS,
  configOfRule,
  findConfigOfRule,
  findConfigs,
  findOfferedItems,
  ITEMS,
  readConfig,
} from './storage/price.repository.ts'
export {
  countCodeRedemptions,
  findPromotionCodes,
  hasCode,
  hasId,
} from './storage/promotion-code.repository.ts'

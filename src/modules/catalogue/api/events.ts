import type { TSchema } from 'typebox'
import type { CatalogueEvent } from '../model/catalogue.ts'
import type { CouponEvent } from '../model/coupon.ts'
import type { DunningPolicyEvent } from '../model/dunning-policy.ts'
import { CouponData } from './coupons/schemas.ts'
import { DunningPolicyData } from './policies/schemas.ts'
import { PriceData, ProductData } from './products/schemas.ts'

/** The events with the schema of their `data`. */
export const CATALOGUE_EVENTS = {
  'product.created': ProductData,
  'product.updated': ProductData,
  'product.archived': ProductData,
  'price.created': PriceData,
  'price.superseded': PriceData,
  'dunning_policy.created': DunningPolicyData,
  'dunning_policy.updated': DunningPolicyData,
  'coupon.created': CouponData,
  'coupon.updated': CouponData,
} as const satisfies Record<CatalogueEvent | CouponEvent | DunningPolicyEvent, TSchema>

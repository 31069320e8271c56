import type { TSchema } from 'typebox'
import type { CatalogueEvent } from '../model/catalogue.ts'
import type { CouponEvent } from '../model/coupon.ts'
import type { DunningPolicyEvent } from '../model/dunning-policy.ts'
import type { PlanEvent } from '../model/plan.ts'
import { PriceData, ProductData } from './catalogue.schemas.ts'
import { DunningPolicyData } from './policies/schemas.ts'
import { CouponData } from './coupons/schemas.ts'
import { CycleWithPlan, PlanData } from './schemas.ts'

/**
 * The events with the schema of their `data`. Events of cycles have the `sequence` of their plan (reference/events#types).
 */
export const RECURRING_EVENTS = {
  'plan.created': PlanData,
  'plan.updated': PlanData,
  'plan.paused': PlanData,
  'plan.resumed': PlanData,
  'plan.canceled': PlanData,
  'plan.changed': PlanData,
  'plan.change_scheduled': PlanData,
  'plan.change_removed': PlanData,
  'plan.trial_will_end': PlanData,
  'plan.trial_ended': PlanData,
  'plan.reactivated': PlanData,
  'plan.coupon_attached': PlanData,
  'plan.coupon_detached': PlanData,
  'cycle.activated': CycleWithPlan,
  'cycle.past_due': CycleWithPlan,
  'cycle.uncollectible': CycleWithPlan,
  'cycle.completed': CycleWithPlan,
  'product.created': ProductData,
  'product.updated': ProductData,
  'product.archived': ProductData,
  'price.created': PriceData,
  'price.superseded': PriceData,
  'dunning_policy.created': DunningPolicyData,
  'dunning_policy.updated': DunningPolicyData,
  'coupon.created': CouponData,
  'coupon.updated': CouponData,
} as const satisfies Record<PlanEvent['type'] | CatalogueEvent | CouponEvent | DunningPolicyEvent, TSchema>

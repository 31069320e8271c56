import type { TSchema } from 'typebox'
import type { PlanEvent } from '#modules/plans'
import { CycleWithPlan, PlanData } from './schemas.ts'

/**
 * The events with the schema of their `data`. Events of cycles have the `sequence` of their plan (reference/events#types).
 */
export const BILLING_EVENTS = {
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
} as const satisfies Record<PlanEvent['type'], TSchema>

import type { TSchema } from 'typebox'
import type { PlanEvent } from '../model/plan.ts'
import { CycleWithPlan, PlanData } from './schemas.ts'

/** The events of plans and cycles with the schema of their `data`. Their `sequence` counts per plan (reference/events#types). */
export const RECURRING_EVENTS = {
  'plan.created': PlanData,
  'plan.updated': PlanData,
  'plan.paused': PlanData,
  'plan.resumed': PlanData,
  'plan.canceled': PlanData,
  'cycle.activated': CycleWithPlan,
  'cycle.past_due': CycleWithPlan,
  'cycle.uncollectible': CycleWithPlan,
  'cycle.completed': CycleWithPlan,
} as const satisfies Record<PlanEvent['type'], TSchema>

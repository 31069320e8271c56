import { CycleWithPlan, PlanData } from './api/schemas.ts'

/** What is told of plans and their cycles (decisions, section 8), with the shape of `data`. All are counted per plan. */
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
} as const
export type RecurringEvent = keyof typeof RECURRING_EVENTS

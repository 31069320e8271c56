/** What is told of plans and their cycles (decisions, section 8). All are counted per plan. */
export const RECURRING_EVENTS = [
  'plan.created',
  'plan.updated',
  'plan.paused',
  'plan.resumed',
  'plan.canceled',
  'cycle.activated',
  'cycle.past_due',
  'cycle.uncollectible',
  'cycle.completed',
] as const
export type RecurringEvent = (typeof RECURRING_EVENTS)[number]

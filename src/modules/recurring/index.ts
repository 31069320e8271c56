export { callbackUrlsOf } from './plan/callback-url.ts'
export { LABELS } from './billing/order-lines.ts'
export type { PlanStep } from './upcoming/plan-steps.ts'
export { RECURRING_EVENTS, type Recurring, recurringModule } from './module.ts'

export type { PlanChangeRequest } from './changes/read-change.ts'
export { type Billing, BILLING_EVENTS, billingModule, BulkPlanChange } from './module.ts'
export type { PlanStep } from './upcoming/plan-steps.ts'

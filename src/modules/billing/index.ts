export { BulkPlanChange, CHANGED_ITEMS, type PlanChangeRequest } from './changes/change-request.ts'
export {
  type Billing,
  BILLING_EVENTS,
  billingModule,
  CHANGE_REFUSED,
  PausePlanBody,
  PlanChangeData,
  PlanChangePreview,
  PlanSchema,
  renderPlanChange,
  renderPlanChangePreview,
  renderPlanData,
  renderPlansPage,
} from './module.ts'
export type { NextBill } from './upcoming/next-bills.ts'
export type { PlanStep } from './upcoming/plan-steps.ts'

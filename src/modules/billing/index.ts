export type { PlanChangeRequest } from './changes/read-change.ts'
export {
  type Billing,
  BILLING_EVENTS,
  billingModule,
  BulkPlanChange,
  CHANGE_REFUSED,
  PausePlanBody,
  PlanChangeData,
  PlanChangePreview,
  PlanSchema,
  RecurringItems,
  renderPlanChange,
  renderPlanChangePreview,
  renderPlanData,
  renderPlansPage,
} from './module.ts'
export type { NextBill } from './upcoming/next-bills.ts'
export type { PlanStep } from './upcoming/plan-steps.ts'

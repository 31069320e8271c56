export { type Bill, billNext, billWaiting, type OrderBill } from './amounts/bill-next.ts'
export {
  coveredBy,
  creditSources,
  type PaidPeriod,
  paidPeriodOf,
  settleGivenCredit,
} from './amounts/given-credit.ts'
export { type BilledLines, billingAmount, LABELS, netsOfLines } from './amounts/order-lines.ts'
export { nextOrderId, referenceOf } from './amounts/period-order.ts'
export { invoicedOrder, orderToInvoice } from './amounts/plan-invoice.ts'
export { PRORATION_UNITS } from './amounts/prorate.ts'
export { decideCycleChange, decidePlanChange } from './changes/decide-plan-change.ts'
export { type ChangeRefusal, type DecidedChange, totalOf } from './changes/decided-change.ts'
export {
  type BillingOrder,
  type ChangeGround,
  currentPeriod,
  type WantedChange,
} from './changes/price-change.ts'
export {
  announcePaidFirst,
  applyPaidFirst,
  awaitedPayment,
  awaitPayment,
  dropPaidFirst,
  hasOpenOrder,
  orderToPayFirst,
  type PaidChange,
  waitingOrder,
  withVoidAt,
} from './changes/paid-first.ts'
export type { PlansContext, PlansSavedHandler, PlanView, SavedPlan } from './context.ts'
export { couponsToAttach, redeem } from './coupons/redeem-coupons.ts'
export { addCredit, creditPlan } from './credit/credit-plan.ts'
export type { PlansDependencies } from './dependencies.ts'
export {
  attemptDiscarded,
  attemptFailed,
  attemptInitiated,
  attemptLeftBalance,
  attemptWaits,
  type Decline,
  markBlocked,
  orderCredited,
  orderOverdue,
  orderPaid,
  orderReopened,
  orderVoided,
  refreshStates,
  tokenReplaced,
  unblock,
} from './dunning/dunning.ts'
export { retryNow } from './dunning/retry-now.ts'
export { accepted, errorOfRefusal, throwIfRefused } from './errors.ts'
export { RECURRING_JOB } from './job-names.ts'
export { cancel, pause, resume, uncancel, withoutPause } from './lifecycle/decide-lifecycle.ts'
export { withTrialEnd } from './lifecycle/move-trial.ts'
export { reactivate, REACTIVATE_FROM } from './lifecycle/reactivation/reactivate.ts'
export type { StepGround } from './lifecycle/take-lifecycle-step.ts'
export { takeTimelineStep } from './lifecycle/take-timeline-step.ts'
export { decideUnused, type Unused } from './lifecycle/unused/decide-unused.ts'
export { CYCLE_STATES } from './model/cycle.states.ts'
export type { CreditEntry, CreditSource } from './model/given-credit.ts'
export type { PlanInvoicing } from './model/invoicing.ts'
export type { AwaitedPayment, ChangedPeriod, PendingChange } from './model/plan-change.ts'
export type { PlanItems, ReplacedCycles, ScheduledChange } from './model/plan-items.ts'
export {
  awaitsToken,
  type Cancellation,
  COLLECTION_METHODS,
  currentCycle,
  type Cycle,
  cycleAt,
  type Due,
  hasEnded,
  isOpen,
  isStillDue,
  NEW_PLAN_ORDER,
  type Plan,
  type PlanAggregate,
  type PlanEvent,
  type PlanOrder,
  sendsInvoices,
  withEvent,
  withPlan,
} from './model/plan.ts'
export { type EndedRefusal, refuseUnlessRecoverable } from './model/refuse-ended.ts'
export {
  BillingConfigText,
  BillingCount,
  CouponOrCode,
  type NewCycle,
  type NewPlan,
  NewPlanSchema,
  PlanEditSchema,
  RecurringItems,
  RecurringOrderBody,
} from './model/plan-requests.ts'
export type { Trial } from './model/trial.ts'
export { plansModule } from './module.ts'
export { callbackUrlsOf } from './plan/callback-url.ts'
export { changePlan } from './plan/change-plan.ts'
export { type CreatedPlan, createPlan } from './plan/create-plan.ts'
export { editPlan } from './plan/edit-plan.ts'
export { refuseTooLarge } from './plan/new-plan.ts'
export { type PlanPreview, type PreviewedOrder, previewOrders, previewPlan } from './plan/preview-plan.ts'
export {
  type ConfigRefusal,
  readConfigs,
  type ReadConfigs,
  storeConfigs,
  withStoredConfigs,
} from './plan/read-configs.ts'
export { readPauseUntil } from './plan/read-lifecycle.ts'
export { planById, planIdsOfPage, plansOfPage, requirePlan } from './plan/read-plans.ts'
export { readRecurringOrder, type RecurringOrderView } from './plan/read-recurring-order.ts'
export { recordPlanEvents, savePlan, savePlans } from './plan/save-plans.ts'
export { viewPlan } from './plan/view-plans.ts'
export { findCycleItems } from './storage/cycle-item.repository.ts'
export {
  addGivenCredit,
  type CreditOfGiver,
  findCreditGivenBy,
  findGivenCredit,
  findMissingCredit,
  findMovedCredit,
  type NewGivenCredit,
} from './storage/given-credit.repository.ts'
export { loadPlans, lockPlansOfOrders } from './storage/plan-aggregate.repository.ts'
export { findScheduledChanges, replaceCycles, type ReplacedPlan } from './storage/plan-change.repository.ts'
export {
  insertPlanCoupons,
  markPlanWithCoupons,
  nextCouponPosition,
} from './storage/plan-coupon.repository.ts'
export {
  findOrderPeriods,
  insertPlanOrders,
  type NewPlanOrder,
  type OrderPeriod,
  ordersOfPeriod,
  updatePaidFirst,
} from './storage/plan-order.repository.ts'
export {
  countActivePlans,
  findActivePlanIds,
  findBilledCustomers,
  findPlanIdsOfCustomer,
  findPlansWithPolicy,
  findUncollectiblePlans,
  insertCredits,
  insertCycleItems,
  insertCycles,
  owesPayment,
  PLAN_FIELDS,
} from './storage/plan.repository.ts'
export { PLAN_NAMES, searchPlans } from './storage/search.repository.ts'
export { startGrace } from './timeline/cancel-now.ts'
export {
  advance,
  attemptAt,
  type CycleTimes,
  cycleTimes,
  nextBoundary,
  nextExecuteAt,
  nextTimelineAt,
  withDue,
} from './timeline/timeline.ts'

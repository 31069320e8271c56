import type { PlanHandler } from '#modules/invoices'
import type { OrdersChangedHandler } from '#modules/payments'
import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import { defineModule } from '#platform/module'
import type { TaxAnswers } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { catalogueRoutes } from './api/catalogue.routes.ts'
import { renderPriceData, renderProductData } from './api/catalogue.render.ts'
import { renderCouponData } from './api/coupons/render.ts'
import { couponRoutes } from './api/coupons/routes.ts'
import { dunningPolicyRoutes, renderDunningPolicyData } from './api/policies/routes.ts'
import { renderEventData } from './api/render.ts'
import { itemRoutes } from './api/items/routes.ts'
import { planCouponRoutes } from './api/plan-coupons/routes.ts'
import { plansRoutes } from './api/routes.ts'
import { verifyRecurring } from './audit/verify.ts'
import { PlanJob } from './billing/plan-job.ts'
import type { RecurringContext } from './context.ts'
import type { RecurringDependencies } from './dependencies.ts'
import { applyOrderChanges } from './dunning/apply-order-changes.ts'
import { reverseLostCredit } from './credit/reverse-lost-credit.ts'
import { addPlanCredit, markOverdue } from './invoices/sent-invoices.ts'
import { errors } from './errors.ts'
import { cancelPlan, previewCancel } from './lifecycle/change-lifecycle.ts'
import { changePlans } from './changes/apply-plan-change.ts'
import type { PlanChangeRequest } from './changes/read-change.ts'
import { planIdsOfPage } from './plan/read-plans.ts'
import { retryWithDefaultToken } from './dunning/default-token.ts'
import { RECURRING_PERSONAL_DATA } from './storage/personal-data.ts'
import { findGivenCredit, findMissingCredit } from './storage/given-credit.repository.ts'
import {
  countActivePlans,
  findBilledCustomers,
  findUncollectiblePlans,
  owesPayment,
} from './storage/plan.repository.ts'
import { searchPlans } from './storage/search.repository.ts'
import { readOrderSteps, readPlanSteps } from './upcoming/read-plan-steps.ts'

export { BulkPlanChange } from './api/change.schemas.ts'
export { RECURRING_EVENTS } from './api/events.ts'

export const recurringModule = defineModule({
  name: 'recurring',
  errors: errors.catalogue,
  verify: verifyRecurring,
  personalData: RECURRING_PERSONAL_DATA,
  connect: (deps: RecurringDependencies) => {
    const ctx = contextOf(deps)
    return {
      recurring: recurringOf(ctx),
      routes: [
        ...itemRoutes(ctx),
        ...plansRoutes(ctx),
        ...catalogueRoutes(ctx),
        ...couponRoutes(ctx),
        ...planCouponRoutes(ctx),
        ...dunningPolicyRoutes(ctx),
      ],
      jobs: [new PlanJob(ctx)],
      search: { scope: 'recurring:read', search: searchPlans },
    }
  },
})

export type Recurring = ReturnType<typeof recurringOf>

/**
 * What other modules use.
 * - `withTaxEngine`: Wraps the transaction of `changePlans`, because that begins anew after the engine was asked.
 * - `handleOrderChanges`: Register with `payments.onOrdersChanged`. The job itself saves the plans of the orders that it
 *   changes.
 * - `handleDefaultToken`: Register with `customers.onDefaultToken`.
 * - `handleLostDispute`: Register with `disputes.onLost`.
 * - `givenCredit`: Register with `payments.readGivenCredit`.
 * - `handleDocuments`: Register with `invoices.onPlanDocuments`.
 */
function recurringOf(ctx: RecurringContext) {
  const handleOrderChanges: OrdersChangedHandler = async (tx, changes, origin) => {
    if (origin?.module !== 'recurring') await applyOrderChanges(ctx, tx, changes)
  }
  const handleDocuments: PlanHandler = {
    onOverdue: (tx, orders) => markOverdue(ctx, tx, orders),
    addCredit: (tx, credit) => addPlanCredit(ctx, tx, credit),
  }
  return {
    handleOrderChanges,
    handleDocuments,
    givenCredit: findGivenCredit,
    handleLostDispute: (tx: Tx, lost: Parameters<typeof reverseLostCredit>[2]) =>
      reverseLostCredit(ctx, tx, lost),
    missingCredit: findMissingCredit,
    handleDefaultToken: (tx: Tx, customerUuid: string) => retryWithDefaultToken(ctx, tx, customerUuid),
    readPlanSteps,
    readOrderSteps,
    owesPayment,
    findBilledCustomers,
    uncollectiblePlans: findUncollectiblePlans,
    activePlans: countActivePlans,
    planIds: (caller: Caller, filter: string, request: PageRequest) =>
      planIdsOfPage(ctx, caller, filter, request),
    cancel: (caller: Caller, id: string, atPeriodEnd: boolean) => cancelPlan(ctx, caller, id, atPeriodEnd),
    withTaxEngine: ctx.taxes.withEngine,
    changePlans: (
      tx: Tx,
      ids: readonly string[],
      request: PlanChangeRequest,
      options: { dryRun: boolean; answers: TaxAnswers },
    ) => changePlans(ctx, tx, ids, request, options),
    previewCancel: (caller: Caller, id: string, atPeriodEnd: boolean) =>
      previewCancel(ctx, caller, id, atPeriodEnd),
  }
}

export function contextOf(deps: RecurringDependencies): RecurringContext {
  return {
    ...deps,
    present: {
      eventData: renderEventData,
      product: renderProductData,
      price: renderPriceData,
      coupon: renderCouponData,
      dunningPolicy: renderDunningPolicyData,
    },
  }
}

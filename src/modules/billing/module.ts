import type { ExactNumber } from '#kernel/json'
import type { PlanHandler } from '#modules/invoices'
import { type OrdersChangedHandler, renderTransactionWithOrder } from '#modules/payments'
import type { Caller } from '#platform/caller'
import type { PageRequest } from '#platform/http/validation/list'
import { defineModule } from '#platform/module'
import type { TaxAnswers } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { renderPlanChange } from './api/change.render.ts'
import { renderEventData } from './api/render.ts'
import { planCouponRoutes } from './api/plan-coupons/routes.ts'
import { plansRoutes } from './api/routes.ts'
import { verifyBilling } from './audit/verify.ts'
import { PlanJob } from './run/plan-job.ts'
import type { BillingContext } from './context.ts'
import type { BillingDependencies } from './dependencies.ts'
import { applyOrderChanges } from './dunning/apply-order-changes.ts'
import { reverseLostCredit } from './credit/reverse-lost-credit.ts'
import { addMovedCredit, addPlanCredit, markOverdue } from './invoices/sent-invoices.ts'
import {
  cancelPlan,
  pausePlan,
  previewCancel,
  reactivatePlan,
  resumePlan,
  uncancelPlan,
} from './lifecycle/change-lifecycle.ts'
import { changePlanItems, changePlans, previewPlanChange } from './changes/apply-plan-change.ts'
import { acceptOffer } from './changes/attach-coupons.ts'
import type { PlanChangeRequest } from './changes/change-request.ts'
import {
  type Cancellation,
  countActivePlans,
  findActivePlanIds,
  findBilledCustomers,
  findGivenCredit,
  findMovedCredit,
  findMissingCredit,
  findPlanIdsOfCustomer,
  findUncollectiblePlans,
  owesPayment,
  planById,
  planIdsOfPage,
  plansOfPage,
  type PlansSavedHandler,
  requirePlan,
} from '#modules/plans'
import { retryWithDefaultToken } from './dunning/default-token.ts'
import { readNextBills } from './upcoming/next-bills.ts'
import { readOrderSteps, readPlanSteps } from './upcoming/read-plan-steps.ts'

export { renderPlanChange, renderPlanChangePreview } from './api/change.render.ts'
export { CHANGE_REFUSED, PlanChangeData, PlanChangePreview } from './api/change.schemas.ts'
export { BILLING_EVENTS } from './api/events.ts'
export { PausePlanBody } from './api/lifecycle/schemas.ts'
export { renderPlanData, renderPlansPage } from './api/render.ts'
export { PlanSchema } from './api/schemas.ts'

export const billingModule = defineModule({
  name: 'billing',
  verify: verifyBilling,
  connect: (deps: BillingDependencies) => {
    const ctx = contextOf(deps)
    const { catalogueRoutes } = deps
    return {
      billing: billingOf(ctx),
      routes: [
        ...catalogueRoutes.items,
        ...plansRoutes(ctx),
        ...catalogueRoutes.products,
        ...catalogueRoutes.coupons,
        ...planCouponRoutes(ctx),
        ...catalogueRoutes.dunningPolicies,
      ],
      jobs: [new PlanJob(ctx)],
    }
  },
})

export type Billing = ReturnType<typeof billingOf>

/**
 * What other modules use.
 * - `withTaxEngine`: Wraps the transaction of `changePlans`, because that begins anew after the engine was asked.
 * - `handleOrderChanges`: Register with `payments.onOrdersChanged`. The job itself saves the plans of the orders that it
 *   changes.
 * - `handleDefaultToken`: Register with `customers.onDefaultToken`.
 * - `handleLostDispute`: Register with `disputes.onLost`.
 * - `givenCredit`: Register with `payments.readGivenCredit`.
 * - `movedCredit`: Register with `invoices.readSettlements`.
 * - `handleDocuments`: Register with `invoices.onPlanDocuments`.
 * - `addMovedCredit`: Register with `bankTransfers.onMovedCredit`.
 */
function billingOf(ctx: BillingContext) {
  const handleOrderChanges: OrdersChangedHandler = async (tx, changes, origin) => {
    if (origin?.module !== 'recurring') await applyOrderChanges(ctx, tx, changes)
  }
  const handleDocuments: PlanHandler = {
    onOverdue: (tx, orders) => markOverdue(ctx, tx, orders),
    addCredit: (tx, credit) => addPlanCredit(ctx, tx, credit),
    lockPlan: async (tx, planId) => void (await requirePlan(tx, planId, { lock: 'wait' })),
  }
  return {
    handleOrderChanges,
    handleDocuments,
    addMovedCredit: (tx: Tx, credit: Parameters<typeof addMovedCredit>[2]) => addMovedCredit(ctx, tx, credit),
    givenCredit: findGivenCredit,
    movedCredit: findMovedCredit,
    handleLostDispute: (tx: Tx, lost: Parameters<typeof reverseLostCredit>[2]) =>
      reverseLostCredit(ctx, tx, lost),
    missingCredit: findMissingCredit,
    handleDefaultToken: (tx: Tx, customerUuid: string) => retryWithDefaultToken(ctx, tx, customerUuid),
    onPlansSaved: (handler: PlansSavedHandler) => void ctx.savedHandlers.push(handler),
    nextBills: ({ businessId }: Pick<Caller, 'businessId'>, planIds: readonly string[]) =>
      ctx.taxes.withEngine(
        businessId,
        (answers) =>
          ctx.db.transact(businessId, (tx) => readNextBills(tx, planIds, answers), { isSnapshot: true }),
        true,
      ),
    readPlanSteps,
    planIdsOfCustomer: findPlanIdsOfCustomer,
    readOrderSteps,
    owesPayment,
    findBilledCustomers,
    uncollectiblePlans: findUncollectiblePlans,
    activePlans: countActivePlans,
    activePlanIds: findActivePlanIds,
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
    planById: (caller: Caller, id: string) => planById(ctx, caller, id),
    plansOfPage: (caller: Caller, filter: string, request: PageRequest) =>
      plansOfPage(ctx, caller, filter, request),
    changePlan: (caller: Caller, id: string, request: PlanChangeRequest) =>
      changePlanItems(ctx, caller, id, request),
    previewChange: (caller: Caller, id: string, request: PlanChangeRequest) =>
      previewPlanChange(ctx, caller, id, request),
    pause: (caller: Caller, id: string, until: string | undefined, maxDays: number) =>
      pausePlan(ctx, caller, id, until, maxDays),
    resume: (caller: Caller, id: string) => resumePlan(ctx, caller, id),
    cancelAtPeriodEnd: (caller: Caller, id: string, cancellation: Cancellation) =>
      cancelPlan(ctx, caller, id, true, cancellation),
    uncancel: (caller: Caller, id: string) => uncancelPlan(ctx, caller, id),
    acceptOffer: (caller: Caller, id: string, couponId: string, spend: (tx: Tx) => Promise<void>) =>
      acceptOffer(ctx, caller, id, couponId, spend),
    reactivate: (caller: Caller, id: string, expectedTotal: number | ExactNumber) =>
      reactivatePlan(ctx, caller, id, 'now', expectedTotal),
    previewCancel: (caller: Caller, id: string, atPeriodEnd: boolean) =>
      previewCancel(ctx, caller, id, atPeriodEnd),
  }
}

export function contextOf(deps: BillingDependencies): BillingContext {
  return {
    ...deps,
    savedHandlers: [],
    present: {
      eventData: renderEventData,
      payment: renderTransactionWithOrder,
      planChange: renderPlanChange,
    },
  }
}

import type { OrdersChangedHandler } from '#modules/payments'
import type { Caller } from '#platform/caller'
import type { Job } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import type { PageRequest } from '#platform/http/validation/list'
import type { Search, SearchHit } from '#platform/search/search'
import {
  billingConfigsPage,
  createBillingConfig,
  createItem,
  itemsPage,
} from './catalogue/catalogue-operations.ts'
import {
  cancelPlan,
  creditPlan,
  editPlan,
  pausePlan,
  previewCancel,
  resumePlan,
  retryPlan,
} from './plan/change-plan.ts'
import { createPlan } from './plan/create-plan.ts'
import { PlanJob } from './billing/plan-job.ts'
import { getPlan, plansPage } from './api/queries.ts'
import type { RecurringDependencies } from './dependencies.ts'
import { previewPlan } from './plan/preview.ts'
import { applyOrderChanges } from './dunning/apply-order-changes.ts'
import { recurringOrder } from './api/recurring-order.ts'
import type {
  NewBillingConfig,
  NewCredit,
  NewItem,
  NewPlan,
  PlanEdit,
  RecurringOrderRequest,
} from './api/schemas.ts'
import {
  countActivePlans,
  findUncollectiblePlans,
  owesPayment,
  type UncollectiblePlan,
} from './storage/plan.repository.ts'
import { searchPlans } from './storage/search.repository.ts'
import type { PlanStep } from './upcoming/plan-steps.ts'
import { type PlanWithSteps, readOrderSteps, readPlanSteps } from './upcoming/read-plan-steps.ts'

export class Recurring {
  readonly #deps: RecurringDependencies
  readonly jobs: readonly Job[]

  constructor(deps: RecurringDependencies) {
    this.#deps = deps
    this.jobs = [new PlanJob(deps)]
  }

  /** Register with `payments.onOrdersChanged`. The job itself saves the plans of the orders that it changes. */
  readonly handleOrderChanges: OrdersChangedHandler = async (tx, changes, origin) => {
    if (origin?.module !== 'recurring') await applyOrderChanges(this.#deps, tx, changes)
  }

  createItem(caller: Caller, item: NewItem): Promise<object> {
    return createItem(this.#deps, caller, item)
  }

  itemsPage(caller: Caller, page: PageRequest): Promise<object> {
    return itemsPage(this.#deps, caller, page)
  }

  createBillingConfig(caller: Caller, config: NewBillingConfig): Promise<object> {
    return createBillingConfig(this.#deps, caller, config)
  }

  billingConfigsPage(caller: Caller, page: PageRequest): Promise<object> {
    return billingConfigsPage(this.#deps, caller, page)
  }

  create(caller: Caller, plan: NewPlan): Promise<object> {
    return createPlan(this.#deps, caller, plan)
  }

  preview(caller: Caller, plan: NewPlan, count: number | undefined): Promise<object> {
    return previewPlan(this.#deps, caller, plan, count)
  }

  get(caller: Caller, id: string): Promise<object> {
    return getPlan(this.#deps, caller, id)
  }

  search(tx: Tx, search: Search): Promise<SearchHit[]> {
    return searchPlans(tx, search)
  }

  page(caller: Caller, filter: string | undefined, page: PageRequest): Promise<object> {
    return plansPage(this.#deps, caller, filter, page)
  }

  edit(caller: Caller, id: string, edit: PlanEdit): Promise<object> {
    return editPlan(this.#deps, caller, id, edit)
  }

  pause(caller: Caller, id: string): Promise<object> {
    return pausePlan(this.#deps, caller, id)
  }

  resume(caller: Caller, id: string): Promise<object> {
    return resumePlan(this.#deps, caller, id)
  }

  cancel(caller: Caller, id: string, atPeriodEnd: boolean): Promise<object> {
    return cancelPlan(this.#deps, caller, id, atPeriodEnd)
  }

  previewCancel(caller: Caller, id: string, atPeriodEnd: boolean): Promise<void> {
    return previewCancel(this.#deps, caller, id, atPeriodEnd)
  }

  retry(caller: Caller, id: string, orderNumber: string | null): Promise<object> {
    return retryPlan(this.#deps, caller, id, orderNumber)
  }

  credit(caller: Caller, id: string, credit: NewCredit): Promise<object> {
    return creditPlan(this.#deps, caller, id, credit)
  }

  uncollectiblePlans(tx: Tx, limit: number): Promise<UncollectiblePlan[]> {
    return findUncollectiblePlans(tx, limit)
  }

  owesPayment(tx: Tx, planId: string): Promise<boolean> {
    return owesPayment(tx, planId)
  }

  activePlans(tx: Tx): ReturnType<typeof countActivePlans> {
    return countActivePlans(tx)
  }

  readPlanSteps(tx: Tx, planId: string): Promise<PlanWithSteps> {
    return readPlanSteps(tx, planId)
  }

  readOrderSteps(tx: Tx, order: Parameters<typeof readOrderSteps>[1]): Promise<PlanStep[]> {
    return readOrderSteps(tx, order)
  }

  order(caller: Caller, request: RecurringOrderRequest): Promise<object> {
    return recurringOrder(this.#deps, caller, request)
  }
}

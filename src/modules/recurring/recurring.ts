import type { Reaction } from '#modules/payments'
import type { Caller } from '#platform/caller'
import type { DueWork } from '#platform/jobs/jobs'
import type { PageRequest } from '#platform/http/validation/list'
import {
  billingConfigsPage,
  createBillingConfig,
  createItem,
  itemsPage,
} from './catalogue/catalogue-operations.ts'
import { cancelPlan, creditPlan, editPlan, pausePlan, resumePlan } from './plan/change-plan.ts'
import { ChargeAttempts } from './dunning/charge-attempts.ts'
import { createPlan } from './plan/create-plan.ts'
import { PlansDue } from './billing/plan-jobs.ts'
import { getPlan, plansPage } from './api/look-up.ts'
import type { RecurringNeeds } from './dependencies.ts'
import { previewPlan } from './plan/preview.ts'
import { reactToOrders } from './dunning/react.ts'
import { recurringOrder } from './api/recurring-order.ts'
import type {
  NewBillingConfig,
  NewCredit,
  NewItem,
  NewPlan,
  PlanEdit,
  RecurringOrderRequest,
} from './api/schemas.ts'

/** Recurring plans. Made once, in compose.ts. */
export class Recurring {
  readonly #needs: RecurringNeeds
  readonly #charges: ChargeAttempts
  readonly #due: PlansDue
  readonly dueWork: readonly DueWork[]

  constructor(needs: RecurringNeeds) {
    this.#needs = needs
    this.#charges = new ChargeAttempts(needs)
    this.#due = new PlansDue(needs, this.#charges)
    this.dueWork = [this.#due]
  }

  /** To be registered with `payments.react`: what plans make of changes of their orders. */
  readonly reaction: Reaction = async (tx, changes) => {
    if (!this.#due.isOwn(tx)) await reactToOrders(this.#needs, tx, changes, this.#charges.livesLeft(tx))
  }

  createItem(caller: Caller, item: NewItem): Promise<object> {
    return createItem(this.#needs, caller, item)
  }

  itemsPage(caller: Caller, page: PageRequest): Promise<object> {
    return itemsPage(this.#needs, caller, page)
  }

  createBillingConfig(caller: Caller, config: NewBillingConfig): Promise<object> {
    return createBillingConfig(this.#needs, caller, config)
  }

  billingConfigsPage(caller: Caller, page: PageRequest): Promise<object> {
    return billingConfigsPage(this.#needs, caller, page)
  }

  /** Endpoint 7: answers `{plan}`. */
  create(caller: Caller, plan: NewPlan): Promise<object> {
    return createPlan(this.#needs, caller, plan)
  }

  /** The coming orders of a plan that is not made: answers `{orders}`. */
  preview(caller: Caller, plan: NewPlan, count: number | undefined): Promise<object> {
    return previewPlan(this.#needs, caller, plan, count)
  }

  get(caller: Caller, id: string): Promise<object> {
    return getPlan(this.#needs, caller, id)
  }

  /** Endpoint 8: answers `{plans, page}`. */
  page(caller: Caller, filter: string | undefined, page: PageRequest): Promise<object> {
    return plansPage(this.#needs, caller, filter, page)
  }

  /** Endpoint 9: answers `{plan}`. */
  edit(caller: Caller, id: string, edit: PlanEdit): Promise<object> {
    return editPlan(this.#needs, caller, id, edit)
  }

  pause(caller: Caller, id: string): Promise<object> {
    return pausePlan(this.#needs, caller, id)
  }

  resume(caller: Caller, id: string): Promise<object> {
    return resumePlan(this.#needs, caller, id)
  }

  cancel(caller: Caller, id: string, atPeriodEnd: boolean): Promise<object> {
    return cancelPlan(this.#needs, caller, id, atPeriodEnd)
  }

  credit(caller: Caller, id: string, credit: NewCredit): Promise<object> {
    return creditPlan(this.#needs, caller, id, credit)
  }

  /** Endpoint 12: answers `{customer, recurring_cycle, order}`. */
  order(caller: Caller, asked: RecurringOrderRequest): Promise<object> {
    return recurringOrder(this.#needs, caller, asked)
  }
}

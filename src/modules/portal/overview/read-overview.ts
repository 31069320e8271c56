import { customerErrors, type Customer } from '#modules/customers'
import type { NextBill } from '#modules/billing'
import type { PlanView } from '#modules/plans'
import { readPage } from '#platform/http/validation/list'
import type { PortalContext, Visitor } from '../context.ts'
import type { Allow } from '../model/allow.ts'
import { type DueOrder, dueOrdersOf } from '../plans/due-orders.ts'
import { plansOf } from '../plans/own-plan.ts'

export interface Overview {
  readonly businessName: string
  readonly customer: Customer
  readonly returnUrl: string | null
  readonly allow: Allow
  readonly plans: readonly PlanView[]
  readonly nextBills: ReadonlyMap<string, NextBill>
  readonly dueOrders: readonly DueOrder[]
}

const MAX_PLANS = 100

export async function readOverview(ctx: PortalContext, visitor: Visitor): Promise<Overview> {
  const { caller, customerUuid, returnUrl, allow } = visitor
  const { businessId } = caller
  const [{ name }, branding, plans, customers] = await Promise.all([
    ctx.businesses.profile(businessId),
    ctx.businesses.branding(businessId),
    plansOf(ctx, visitor, { ...readPage('recurring_plans', {}), limit: MAX_PLANS }),
    ctx.db.transact(businessId, (tx) => ctx.customers.findCustomers(tx, [customerUuid])),
  ])
  const customer = customers.get(customerUuid)
  if (customer === undefined) throw customerErrors.customer_not_found()
  const shown = plans.slice(0, MAX_PLANS)
  return {
    businessName: branding.displayName ?? name,
    customer,
    returnUrl,
    allow,
    plans: shown,
    nextBills: await ctx.billing.nextBills(
      caller,
      shown.map(({ aggregate }) => aggregate.plan.id),
    ),
    dueOrders: await dueOrdersOf(ctx, businessId, shown),
  }
}

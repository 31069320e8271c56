import { catalogueErrors } from '#modules/catalogue'
import type { PlanView } from '#modules/plans'
import type { PageRequest } from '#platform/http/validation/list'
import type { PortalContext, Visitor } from '../context.ts'

/** Another customer's plan is as absent as one that does not exist. */
export async function requireOwnPlan(ctx: PortalContext, visitor: Visitor, id: string): Promise<PlanView> {
  const view = await ctx.billing.planById(visitor.caller, id)
  if (view.aggregate.plan.customerUuid !== visitor.customerUuid) throw catalogueErrors.plan_not_found()
  return view
}

export function plansOf(ctx: PortalContext, visitor: Visitor, request: PageRequest): Promise<PlanView[]> {
  return ctx.billing.plansOfPage(visitor.caller, `customer.uuid = "${visitor.customerUuid}"`, request)
}

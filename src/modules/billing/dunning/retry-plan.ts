import type { Caller } from '#platform/caller'
import type { BillingContext } from '../context.ts'
import { changePlan, type PlanView, retryNow } from '#modules/plans'

export function retryPlan(
  ctx: BillingContext,
  caller: Caller,
  id: string,
  orderNumber: string | null,
): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at) => retryNow(aggregate, orderNumber, at))
}

import type { Caller } from '#platform/caller'
import type { PlanView, RecurringContext } from '../context.ts'
import { changePlan } from '../plan/change-plan.ts'
import { retryNow } from './retry-now.ts'

export function retryPlan(
  ctx: RecurringContext,
  caller: Caller,
  id: string,
  orderNumber: string | null,
): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at) => retryNow(aggregate, orderNumber, at))
}

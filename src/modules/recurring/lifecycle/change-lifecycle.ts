import type { Caller } from '#platform/caller'
import { cancelPlan, changePlan } from '../changes/change-plan.ts'
import { uncancel } from '../changes/decide-change.ts'
import type { PlanView, RecurringContext } from '../context.ts'
import { errors } from '../errors.ts'
import { findCycleItems } from '../storage/catalogue.repository.ts'
import { insertCycleItems, insertCycles } from '../storage/plan.repository.ts'
import { cancelAndRefund, type UNUSED } from './unused/cancel-unused.ts'
import { withTrialEnd } from './move-trial.ts'
import { reactivate, type REACTIVATE_FROM } from './reactivation/reactivate.ts'

interface CancelRequest {
  readonly at_period_end?: boolean
  readonly unused?: (typeof UNUSED)[number]
}

export async function cancelAsAsked(
  ctx: RecurringContext,
  caller: Caller,
  id: string,
  { at_period_end: atPeriodEnd = false, unused = 'keep' }: CancelRequest,
): Promise<PlanView> {
  if (unused === 'keep') return cancelPlan(ctx, caller, id, atPeriodEnd)
  if (!atPeriodEnd) return cancelAndRefund(ctx, caller, id)
  throw errors.change_inconsistent({
    param: 'unused',
    message:
      'unused: refund needs a cancellation at once, because nothing is unused at the end of the period.',
  })
}

export function uncancelPlan(ctx: RecurringContext, caller: Caller, id: string): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at) => uncancel(aggregate, at))
}

export function moveTrial(
  ctx: RecurringContext,
  caller: Caller,
  id: string,
  until: string,
): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (aggregate, at) => withTrialEnd(aggregate, until, at))
}

export function reactivatePlan(
  ctx: RecurringContext,
  caller: Caller,
  id: string,
  from: (typeof REACTIVATE_FROM)[number],
): Promise<PlanView> {
  return changePlan(ctx, caller, id, async (before, at, tx) => {
    const { aggregate, added, copied } = reactivate(before, from, at)
    const items = (await findCycleItems(tx, [id])).get(id) ?? []
    await insertCycles(tx, added)
    await insertCycleItems(
      tx,
      added.map((cycle, index) => ({ cycle, items: items[copied[index] ?? 0] ?? [] })),
    )
    return aggregate
  })
}

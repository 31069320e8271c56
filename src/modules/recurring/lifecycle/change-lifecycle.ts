import type { Caller } from '#platform/caller'
import { changePlan } from '../changes/change-plan.ts'
import { uncancel } from '../changes/decide-change.ts'
import type { PlanView, RecurringContext } from '../context.ts'
import { findCycleItems } from '../storage/catalogue.repository.ts'
import { insertCycleItems, insertCycles } from '../storage/plan.repository.ts'
import { withTrialEnd } from './move-trial.ts'
import { reactivate, type REACTIVATE_FROM } from './reactivate.ts'

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

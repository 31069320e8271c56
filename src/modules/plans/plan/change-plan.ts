import { type Instant, timeOfChange } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { TaxAnswers } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import type { PlanView, PlansContext } from '../context.ts'
import { accepted, type PlanRefusal } from '../errors.ts'
import type { PlanAggregate } from '../model/plan.ts'
import { requirePlan } from './read-plans.ts'
import { savePlan } from './save-plans.ts'
import { viewPlan } from './view-plans.ts'

/** A merchant changes plans and cycles only. The job voids orders, because orders are locked before their plan. */
export async function changePlan(
  ctx: PlansContext,
  caller: Caller,
  id: string,
  decide: (aggregate: PlanAggregate, at: Instant, tx: Tx) => Promise<PlanAggregate | PlanRefusal>,
): Promise<PlanView> {
  const change = async (tx: Tx, answers: TaxAnswers) => {
    const before = await requirePlan(tx, id, { lock: 'wait', answers })
    const at = timeOfChange(before.plan, tx.now)
    const after = accepted(await decide(before, at, tx))
    answers.requireAll()
    return after === before ? viewPlan(ctx, tx, before, at) : savePlan(ctx, tx, { before, after, at })
  }
  return ctx.taxes.withEngine(caller.businessId, (answers) =>
    once(ctx.db, caller, (tx) => change(tx, answers)),
  )
}

import type { Caller } from '#platform/caller'
import { editMetadata } from '#platform/http/validation/metadata'
import { replaceTerms } from '#platform/search/term-index'
import type { PlanView, PlansContext } from '../context.ts'
import { withEvent, withPlan } from '../model/plan.ts'
import type { PlanEdit } from '../model/plan-requests.ts'
import { policyOfPlan } from '#modules/catalogue'
import { updateEditablePlanFields } from '../storage/plan.repository.ts'
import { PLAN_NAMES } from '../storage/search.repository.ts'
import { changePlan } from './change-plan.ts'
import { checkCallback } from './draft-plan.ts'

/** Dates that are already set stay. The new count applies from the next attempt on (reference/recurring#editing). */
export function editPlan(ctx: PlansContext, caller: Caller, id: string, edit: PlanEdit): Promise<PlanView> {
  if (edit.callback_url !== undefined) checkCallback(ctx, edit.callback_url)
  return changePlan(ctx, caller, id, async (aggregate, _at, tx) => {
    const { plan } = aggregate
    const { dunning_policy_id: policyId = plan.dunningPolicyId } = edit
    const policy = policyId === plan.dunningPolicyId ? aggregate.policy : await policyOfPlan(tx, policyId)
    const edited = withPlan(
      { ...aggregate, policy },
      {
        name: edit.name ?? plan.name,
        defaultCollectionMethod: edit.default_collection_method ?? plan.defaultCollectionMethod,
        paymentRetryCount: edit.payment_retry_count ?? plan.paymentRetryCount,
        paymentRetryDayPeriod: edit.payment_retry_day_period ?? plan.paymentRetryDayPeriod,
        dunningPolicyId: policyId,
        callbackUrl: edit.callback_url ?? plan.callbackUrl,
        metadata: editMetadata(plan.metadata, edit.metadata, 'plan.metadata'),
      },
    )
    const update = () => updateEditablePlanFields(tx, edited.plan)
    await (edit.name === undefined ? update() : replaceTerms(tx, PLAN_NAMES, [id], update))
    return withEvent(edited, { type: 'plan.updated' })
  })
}

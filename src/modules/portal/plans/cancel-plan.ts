import type { PlanView } from '#modules/plans'
import type { PortalContext, Visitor } from '../context.ts'
import { errors } from '../errors.ts'
import type { CancelRequest } from '../model/portal-requests.ts'
import { insertOffer } from '../storage/offer.repository.ts'
import { requireOwnPlan } from './own-plan.ts'

/** At the end of the period within the terms of the plan, and never with a refund. */
export async function cancelOwnPlan(
  ctx: PortalContext,
  visitor: Visitor,
  id: string,
  { reason, comment }: CancelRequest,
): Promise<PlanView> {
  await requireOwnPlan(ctx, visitor, id)
  const reasons = visitor.allow.cancel?.reasons ?? []
  if (!reasons.includes(reason)) throw errors.cancel_reason_unknown({ param: 'reason' })
  return ctx.billing.cancelAtPeriodEnd(visitor.caller, id, { reason, comment: comment ?? null, by: 'portal' })
}

export async function acceptOffer(ctx: PortalContext, visitor: Visitor, id: string): Promise<PlanView> {
  const { caller, customerUuid } = visitor
  const couponId = visitor.allow.cancel?.offer_coupon_id
  if (couponId === undefined) throw errors.portal_not_allowed()
  await requireOwnPlan(ctx, visitor, id)
  return ctx.billing.acceptOffer(caller, id, couponId, async (tx) => {
    if (!(await insertOffer(tx, { planId: id, customerUuid, couponId }))) throw errors.offer_spent()
  })
}

import type { PlanChangeRequest } from '#modules/billing'
import type { PlanView } from '#modules/plans'
import { platformErrors } from '#platform/errors'
import type { PortalContext, Visitor } from '../context.ts'
import { errors } from '../errors.ts'
import { type Choice, findForbiddenPrice } from './decide-choice.ts'
import { requireOwnPlan } from './own-plan.ts'

type ChangeRequest = Choice & Pick<PlanChangeRequest, 'expected_total'>

export async function changeOwnPlan(
  ctx: PortalContext,
  visitor: Visitor,
  id: string,
  request: ChangeRequest,
): ReturnType<PortalContext['billing']['changePlan']> {
  return ctx.billing.changePlan(visitor.caller, id, await readChange(ctx, visitor, id, request))
}

export async function previewOwnChange(
  ctx: PortalContext,
  visitor: Visitor,
  id: string,
  request: ChangeRequest,
): ReturnType<PortalContext['billing']['previewChange']> {
  return ctx.billing.previewChange(visitor.caller, id, await readChange(ctx, visitor, id, request))
}

/** The business says when changes take effect. */
async function readChange(
  ctx: PortalContext,
  visitor: Visitor,
  id: string,
  request: ChangeRequest,
): Promise<PlanChangeRequest> {
  if (request.recurring_items === undefined && request.replace === undefined) {
    const param = 'change.recurring_items'
    throw platformErrors.missing_member({ param, message: 'Send either recurring_items or replace.' })
  }
  const view = await requireOwnPlan(ctx, visitor, id)
  const { change } = visitor.allow
  if (change === undefined) throw errors.portal_not_allowed()
  const param = findForbiddenPrice(request, change.price_ids, itemsOf(view))
  if (param !== undefined) {
    throw errors.portal_not_allowed({ param, message: 'Customers may not choose this price.' })
  }
  return { ...request, at: change.at }
}

function itemsOf({ aggregate, items }: PlanView) {
  return (items[aggregate.plan.currentCycle] ?? []).map(({ item, quantity }) => ({
    recurring_item_id: item.id,
    quantity,
  }))
}

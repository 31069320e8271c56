import { hasEnded } from '#modules/plans'
import { readPage } from '#platform/http/validation/list'
import type { PortalContext } from '../context.ts'
import { allowedBy, isAllowed } from '../model/allow.ts'
import type { PortalSession } from '../model/session.ts'
import { plansOf } from '../plans/own-plan.ts'
import { principalOf } from '../sessions/authenticate.ts'
import { findSettings } from '../storage/settings.repository.ts'

/** The page at which a session begins: that of its flow, as far as the business allows it and it is clear which plan is meant. */
export async function landingPath(
  ctx: PortalContext,
  businessId: string,
  session: PortalSession,
  requestId: string,
): Promise<string> {
  const settings = await ctx.db.transact(businessId, findSettings)
  const principal = await principalOf(ctx, businessId, session, settings.allow)
  const allow = allowedBy(principal.scopes, settings.allow)
  const isOffered = session.flow !== null && isAllowed(allow, FLOW_PERMISSIONS[session.flow])
  const flow = isOffered ? session.flow : null
  if (flow === 'payment_method') return '/cards'
  const visitor = {
    caller: { ...principal, requestId },
    customerUuid: session.customerUuid,
    returnUrl: settings.returnUrl,
    allow,
  }
  const planId = session.planId ?? (flow === null ? null : await onlyPlan(ctx, visitor))
  if (planId === null) return ''
  return flow === null ? `/plans/${planId}` : `/plans/${planId}/${flow}`
}

const FLOW_PERMISSIONS = {
  payment_method: 'payment_methods',
  cancel: 'cancel',
  change: 'change',
} as const

async function onlyPlan(ctx: PortalContext, visitor: Parameters<typeof plansOf>[1]): Promise<string | null> {
  const plans = (await plansOf(ctx, visitor, readPage('recurring_plans', {})))
    .map(({ aggregate }) => aggregate.plan)
    .filter((plan) => !hasEnded(plan))
  return plans.length === 1 ? (plans[0]?.id ?? null) : null
}

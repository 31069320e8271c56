import { type Instant, realClock } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import { newId } from '#kernel/ids'
import { catalogueErrors } from '#modules/catalogue'
import { requireCustomer } from '#modules/customers'
import type { Caller } from '#platform/caller'
import type { PortalContext } from '../context.ts'
import type { SessionRequest } from '../model/portal-requests.ts'
import { LINK_MINUTES, type PortalSession, SESSION_MINUTES } from '../model/session.ts'
import { insertSession } from '../storage/session.repository.ts'
import { linkOf, makeToken } from './session-tokens.ts'

export interface NewSession {
  readonly url: string
  readonly token: string
  readonly session: PortalSession
}

export async function createSession(
  ctx: PortalContext,
  caller: Caller,
  request: SessionRequest,
): Promise<NewSession> {
  const { businessId } = caller
  const { customer_uuid: customerUuid, plan_id: planId } = request
  await requirePlanOf(ctx, caller, customerUuid, planId)
  const session = newSession(customerUuid, realClock.now(), {
    returnUrl: request.return_url ?? null,
    flow: request.flow ?? null,
    planId: planId ?? null,
    isReadOnly: request.read_only ?? false,
  })
  await ctx.db.transact(businessId, async (tx) => {
    const customers = await ctx.customers.findCustomers(tx, [customerUuid])
    requireCustomer(customers.get(customerUuid), 'portal_session.customer_uuid')
    await insertSession(tx, session)
    if (request.send === true) await ctx.messages.sendPortalLink(tx, { sessionId: session.id, customerUuid })
  })
  const { id, expiresAt } = session
  return {
    url: linkOf(ctx, businessId, session),
    token: makeToken(ctx, 'token', { businessId, id, expiresAt }),
    session,
  }
}

export function newSession(
  customerUuid: string,
  now: Instant,
  members: Partial<PortalSession> = {},
): PortalSession {
  return {
    id: newId('psn'),
    customerUuid,
    returnUrl: null,
    flow: null,
    planId: null,
    isReadOnly: false,
    isCardsOnly: false,
    linkExpiresAt: now.add({ minutes: LINK_MINUTES }),
    openedAt: null,
    expiresAt: now.add({ minutes: SESSION_MINUTES }),
    endedAt: null,
    createdAt: now,
    ...members,
  }
}

async function requirePlanOf(
  ctx: PortalContext,
  caller: Caller,
  customerUuid: string,
  planId: string | undefined,
): Promise<void> {
  if (planId === undefined) return
  const param = 'portal_session.plan_id'
  const plan = await ctx.billing.planById(caller, planId).catch((error: unknown) => {
    throw error instanceof RequestError && error.status === 404
      ? catalogueErrors.plan_not_found({ param })
      : error
  })
  if (plan.aggregate.plan.customerUuid !== customerUuid) throw catalogueErrors.plan_not_found({ param })
}

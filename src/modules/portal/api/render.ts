import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import { parseJson } from '#kernel/json'
import { RequestError } from '#kernel/errors'
import { renderPlanData } from '#modules/billing'
import { StoredReply } from '#platform/idempotency/stored-reply'
import type { PortalSettings } from '../model/allow.ts'
import { shownToCustomer } from '../model/customer-view.ts'
import type { Overview } from '../overview/read-overview.ts'
import { renderDueOrder } from '../plans/due-orders.ts'
import type { NewSession } from '../sessions/create-session.ts'
import type { PortalData, SessionData } from './schemas.ts'

export function renderPortal(
  { returnUrl, allow }: PortalSettings,
  signInUrl: string,
): Static<typeof PortalData> {
  return { portal: { return_url: returnUrl, allow: renderAllow(allow), sign_in_url: signInUrl } }
}

function renderAllow({ change, cancel, ...allow }: PortalSettings['allow']) {
  return {
    ...allow,
    ...(change !== undefined && { change: { ...change, price_ids: [...change.price_ids] } }),
    ...(cancel !== undefined && { cancel: { ...cancel, reasons: [...cancel.reasons] } }),
  }
}

export function renderSession({ url, token, session }: NewSession): Static<typeof SessionData> {
  return { portal_session: { url, token, expires_at: toRfc3339(session.expiresAt) } }
}

export function renderOverview({
  businessName,
  customer,
  returnUrl,
  allow,
  plans,
  nextBills,
  dueOrders,
}: Overview): object {
  return {
    overview: {
      business: { name: businessName },
      customer: {
        uuid: customer.uuid,
        name: customer.name,
        ...(customer.email !== null && { email: customer.email }),
        phone: customer.phone,
      },
      return_url: returnUrl,
      allow: renderAllow(allow),
    },
    plans: plans.map((view) => shownToCustomer(renderPlanData(view).plan)),
    next_bills: [...nextBills].map(([planId, { at, total }]) => ({
      plan_id: planId,
      date: toRfc3339(at),
      amount: total,
      currency: total.currency,
    })),
    due_orders: dueOrders.map(renderDueOrder),
  }
}

/** Leaves the business's own members out of errors and of stored replies, too. */
export function errorForCustomer(error: unknown): unknown {
  if (error instanceof StoredReply) {
    const body = shownToCustomer(parseJson(error.body) as object)
    return new StoredReply(error.status, JSON.stringify(body), error.wasUnknown)
  }
  if (error instanceof RequestError && error.detail.data !== undefined) {
    const data = shownToCustomer(error.detail.data)
    return new RequestError(error.reason, error.definition, { ...error.detail, data })
  }
  return error
}

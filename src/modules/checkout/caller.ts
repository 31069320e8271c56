import type { Caller } from '#platform/caller'
import type { CheckoutDependencies } from './dependencies.ts'
import type { PaymentView } from './model/payment-view.ts'

/** A payer belongs to no app. The Idempotency-Keys of attempts are stored under this name. */
const PAGES_APP = 'checkout'

export async function callerOf(
  deps: CheckoutDependencies,
  view: PaymentView,
  requestId: string,
): Promise<Caller> {
  const { code, environment } = await deps.businesses.profile(view.businessId)
  return {
    businessId: view.businessId,
    businessCode: code,
    environment,
    appId: PAGES_APP,
    actor: { type: 'payer', id: view.order.id },
    requestId,
  }
}

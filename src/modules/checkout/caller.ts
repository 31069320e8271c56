import type { Caller } from '#platform/caller'
import type { CheckoutDependencies } from './dependencies.ts'
import type { PaymentView } from './pages/payment-view.ts'

/** Who follows a link has no app; attempts to pay are remembered beside those of the apps. */
const PAGES_APP = 'checkout'

/** The payer, as use cases of other modules want a caller. */
export async function callerOf(
  deps: CheckoutDependencies,
  view: PaymentView,
  requestId: string,
): Promise<Caller> {
  const { code, environment } = await deps.businesses.profile(view.businessId)
  return { businessId: view.businessId, businessCode: code, environment, appId: PAGES_APP, requestId }
}

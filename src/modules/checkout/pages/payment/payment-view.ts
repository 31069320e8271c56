import type { Instant } from '#kernel/clock'
import type { Order, Transaction } from '#modules/payments'
import type { Environment } from '#platform/caller'
import { type CheckoutState, checkoutStateOf } from '../../attempts/checkout-state.ts'
import { errors } from '../../errors.ts'
import type { CheckoutDependencies } from '../../dependencies.ts'

/** An order as it stands behind a payment link at this moment. */
export interface PaymentView {
  readonly businessId: string
  readonly businessName: string
  readonly environment: Environment
  readonly order: Order
  readonly transactions: readonly Transaction[]
  readonly state: CheckoutState
  /** The business's time. */
  readonly now: Instant
}

/**
 * Reads what a payment or download link leads to.
 * @param token the last part of the link's path
 * @throws 404 when we did not make it; 410 when it is older than its 30 days
 */
export async function readPaymentView(
  deps: CheckoutDependencies,
  token: string,
  purpose: 'payment' | 'download' = 'payment',
): Promise<PaymentView> {
  const link = deps.links.read(purpose, token)
  if (link === null) throw errors.page_not_found()
  if (link.expired) throw errors.link_expired()
  const { businessId } = link
  const [profile, linked] = await Promise.all([
    deps.businesses.profile(businessId),
    deps.payments.orderForLink(businessId, link.id),
  ])
  return {
    businessId,
    businessName: profile.name,
    environment: profile.environment,
    order: linked.order,
    transactions: linked.transactions,
    state: checkoutStateOf(linked),
    now: linked.now,
  }
}

import type { Instant } from '#kernel/clock'
import type { Order, Transaction } from '#modules/payments'
import type { Environment } from '#platform/caller'
import { type CheckoutState, checkoutStateOf } from '../../attempts/checkout-state.ts'
import { errors } from '../../errors.ts'
import type { CheckoutDependencies } from '../../dependencies.ts'

export interface PaymentView {
  readonly businessId: string
  readonly businessName: string
  readonly environment: Environment
  readonly order: Order
  readonly transactions: readonly Transaction[]
  readonly state: CheckoutState
  readonly now: Instant
}

/**
 * Reads the order of a payment or download link.
 * @param token the last part of the link's path
 * @throws 404 for a forged link; 410 for one older than 30 days
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

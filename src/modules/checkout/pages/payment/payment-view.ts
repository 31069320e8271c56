import { type Instant, realClock } from '#kernel/clock'
import { type LinkedOrderView, type Order, readLinkId, type Transaction } from '#modules/payments'
import type { SignedLink } from '#platform/security/links'
import type { Environment } from '#platform/caller'
import { type CheckoutState, checkoutStateOf } from '../../attempts/checkout-state.ts'
import { type Brand, readBrand } from '../brand/brand.ts'
import { errors } from '../../errors.ts'
import type { CheckoutDependencies } from '../../dependencies.ts'

export interface PaymentView {
  readonly businessId: string
  readonly businessName: string
  readonly brand: Brand
  readonly environment: Environment
  readonly order: Order
  readonly transactions: readonly Transaction[]
  readonly state: CheckoutState
  readonly now: Instant
  /** Until the order or its link can no longer be paid; null while that is more than a day away, or never. */
  readonly secondsLeft: number | null
}

const SHOWN_SECONDS = 86_400

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
  const [profile, brand, linked] = await Promise.all([
    deps.businesses.profile(businessId),
    readBrand(deps, businessId),
    deps.payments.orderForLink(businessId, link.id),
  ])
  return {
    businessId,
    businessName: brand.name,
    brand,
    environment: profile.environment,
    order: linked.order,
    transactions: linked.transactions,
    state: checkoutStateOf(linked),
    now: linked.now,
    secondsLeft: secondsLeft(linked, link),
  }
}

/** The order and the timer of a plan's link end on the business's clock, the link itself on the real one. */
function secondsLeft({ order, now }: LinkedOrderView, link: SignedLink): number | null {
  const ends = [
    order.expiresAt?.since(now),
    readLinkId(link.id).closesAt?.since(now),
    link.expiresAt.since(realClock.now()),
  ]
  const seconds = ends.flatMap((left) => (left === undefined ? [] : Math.floor(left.total('seconds'))))
  const least = Math.min(...seconds)
  return least > 0 && least <= SHOWN_SECONDS ? least : null
}

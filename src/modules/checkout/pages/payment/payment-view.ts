import { earliestOf, realClock } from '#kernel/clock'
import type { TimeZone } from '#kernel/time-zone'
import { type LinkedOrderView, readLinkId } from '#modules/payments'
import type { SignedLink } from '#platform/security/links'
import { checkoutStateOf } from '../../model/checkout-state.ts'
import { readBrand } from '../brand/brand.ts'
import type { PaymentView, TimeLeft } from '../../model/payment-view.ts'
import { errors } from '../../errors.ts'
import type { CheckoutDependencies } from '../../dependencies.ts'

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
  const { planId, invoice, dueDate } = linked.order
  const state = checkoutStateOf(linked)
  const isPayable = state.kind === 'payable'
  return {
    businessId,
    businessName: brand.name,
    brand,
    environment: profile.environment,
    order: linked.order,
    transactions: linked.transactions,
    state,
    now: linked.now,
    timeLeft: timeLeft(linked, link, profile.timeZone),
    transfer:
      // Only the order of an invoice that was sent has a due date.
      invoice !== null && dueDate !== null && isPayable && purpose === 'payment'
        ? await deps.db.transact(businessId, (tx) => deps.invoices.transferDetails(tx, invoice.id))
        : null,
    savedCardBecomesDefault:
      planId !== null &&
      isPayable &&
      (await deps.db.transact(businessId, (tx) => deps.billing.owesPayment(tx, planId))),
  }
}

/** The order and the timer of a plan's link end on the business's clock, the link itself on the real one. */
function timeLeft({ order, now }: LinkedOrderView, link: SignedLink, timeZone: TimeZone): TimeLeft | null {
  const timerEnd = earliestOf([order.expiresAt, readLinkId(link.id).closesAt])
  const linkLeft = link.expiresAt.since(realClock.now())
  // Every link ends after 30 days. Without a timer, that is worth showing on its last day only.
  const isLinkEndShown = timerEnd !== null || linkLeft.total('days') <= 1
  const endsAt = earliestOf([timerEnd, isLinkEndShown ? now.add(linkLeft) : null])
  if (endsAt === null) return null
  const seconds = Math.floor(endsAt.since(now).total('seconds'))
  return seconds > 0 ? { seconds, endsAt, timeZone } : null
}

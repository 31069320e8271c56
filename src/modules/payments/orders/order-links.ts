import { type Instant, isBefore } from '#kernel/clock'
import type { Links } from '#platform/security/links'
import { isPayable } from '../charges/decide-payment.ts'
import { acquirerOf, type PaymentsContext } from '../context.ts'
import type { Order } from '../model/order.ts'

type OrderLinks = Pick<Links, 'make'>

/**
 * What a payment link names: the order, and of a plan's order with a timeout also when this link closes. The order stays, so
 * the closing belongs to the link: a check makes a new one (decisions, section 5, last point).
 */
export interface LinkedOrder {
  readonly orderId: string
  readonly closesAt: Instant | null
}

/** The address of the order's payment page, to pay it now; it expires after 30 real days. */
export function paymentLink(links: OrderLinks, businessId: string, order: Order, now: Instant): string {
  return makeLink(links, businessId, order, linkCloses(order, now))
}

/**
 * The member that a caller asks for with `with_payment_link`. Left out of an order that is not payable; throws 503
 * `acquirer_not_configured` where no acquirer could take the payment.
 */
export async function renderPaymentLink(
  ctx: PaymentsContext,
  businessId: string,
  order: Order,
  now: Instant,
): Promise<{ payment_link?: string }> {
  if (!isPayable(order, now)) return {}
  await acquirerOf(ctx, businessId)
  return { payment_link: paymentLink(ctx.links, businessId, order, now) }
}

/** As `paymentLink`, but of a plan's order the one that closes with the timer, also when it has closed. */
export function firstPaymentLink(links: OrderLinks, businessId: string, order: Order): string {
  return makeLink(links, businessId, order, timerEnd(order))
}

function makeLink(links: OrderLinks, businessId: string, order: Order, closesAt: Instant | null): string {
  const id = closesAt === null ? order.id : `${order.id}-${closesAt.epochMilliseconds}`
  return links.make({ businessId, purpose: 'payment', id })
}

/** The address of the order's invoice, or of its receipt once it is paid. */
export function downloadLink(links: OrderLinks, businessId: string, order: Order): string {
  return links.make({ businessId, purpose: 'download', id: order.id })
}

export function readLinkId(id: string): LinkedOrder {
  const [orderId = '', closes] = id.split('-', 2)
  const known = closes !== undefined && /^\d{1,15}$/.test(closes)
  const closesAt = known ? Temporal.Instant.fromEpochMilliseconds(Number(closes)) : null
  return { orderId, closesAt }
}

/** When the timer of a plan's order runs out, counted from its creation; null when it has none. */
export function timerEnd({ type, timeout, createdAt }: Order): Instant | null {
  return type === 'recurring' && timeout !== null ? createdAt.add({ seconds: timeout.seconds }) : null
}

/** A link made after the timer ran out has the timer's length again. */
function linkCloses(order: Order, now: Instant): Instant | null {
  const first = timerEnd(order)
  if (first === null || order.timeout === null) return null
  return isBefore(now, first) ? first : now.add({ seconds: order.timeout.seconds })
}

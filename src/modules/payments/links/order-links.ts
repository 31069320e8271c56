import { type Instant, isBefore } from '#kernel/clock'
import type { Links } from '#platform/security/links'
import { isPayable, type Order } from '../model/order.ts'
import { type PaymentsContext, requirePaymentPage, routerOf } from '../context.ts'
import type { ReadOrder } from '../storage/order-read.repository.ts'

type OrderLinks = Pick<Links, 'make'>

export interface OrderWithLinks extends ReadOrder {
  readonly paymentLink?: string | undefined
  readonly downloadLink?: string
}

export interface LinkedOrder {
  readonly orderId: string
  /**
   * When the link of a plan's order closes, the order stays open: a check makes a new link
   * (reference/recurring#timeouts).
   */
  readonly closesAt: Instant | null
}

export function paymentLink(links: OrderLinks, businessId: string, order: Order, now: Instant): string {
  return makeLink(links, businessId, order, linkCloses(order, now))
}

/**
 * The link that a caller requests with `with_payment_link`. Undefined for an order that is not payable. Throws 503
 * `acquirer_not_configured` if no acquirer account could take the payment.
 */
export async function requestedPaymentLink(
  ctx: PaymentsContext,
  businessId: string,
  order: Order,
  now: Instant,
): Promise<string | undefined> {
  if (!isPayable(order, now)) return undefined
  await requirePaymentPage(ctx, businessId, order.currency)
  return paymentLink(ctx.links, businessId, order, now)
}

/**
 * The order's first payment link, even after the timer of a plan's order closed it: only a check makes a new link.
 * Undefined when the order is not payable or no acquirer could take the payment.
 */
export async function firstPaymentLink(
  ctx: PaymentsContext,
  businessId: string,
  order: Order,
  now: Instant,
): Promise<string | undefined> {
  if (!isPayable(order, now)) return undefined
  const router = await routerOf(ctx, businessId)
  if (!router.hasPageFor(order.currency)) return undefined
  return makeLink(ctx.links, businessId, order, timerEnd(order))
}

function makeLink(links: OrderLinks, businessId: string, order: Order, closesAt: Instant | null): string {
  const id = closesAt === null ? order.id : `${order.id}-${closesAt.epochMilliseconds}`
  return links.make({ businessId, purpose: 'payment', id })
}

export function downloadLink(links: OrderLinks, businessId: string, order: Order): string {
  return links.make({ businessId, purpose: 'download', id: order.id })
}

export function readLinkId(id: string): LinkedOrder {
  const [orderId = '', closes] = id.split('-', 2)
  const isTime = closes !== undefined && /^\d{1,15}$/.test(closes)
  const closesAt = isTime ? Temporal.Instant.fromEpochMilliseconds(Number(closes)) : null
  return { orderId, closesAt }
}

export function timerEnd({ type, timeout, createdAt }: Order): Instant | null {
  return type === 'recurring' && timeout !== null ? createdAt.add({ seconds: timeout.seconds }) : null
}

function linkCloses(order: Order, now: Instant): Instant | null {
  const first = timerEnd(order)
  if (first === null || order.timeout === null) return null
  return isBefore(now, first) ? first : now.add({ seconds: order.timeout.seconds })
}

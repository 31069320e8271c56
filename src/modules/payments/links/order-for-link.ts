import { type Instant, isBefore } from '#kernel/clock'
import type { PaymentsContext } from '../context.ts'
import { isPayable, type Order } from '../model/order.ts'
import { errors } from '../errors.ts'
import { readLinkId, timerEnd } from './order-links.ts'
import { readOrders } from '../storage/order-read.repository.ts'
import type { Transaction } from '../model/transaction.ts'
import { byIds } from '../storage/order-selector.ts'

export interface LinkedOrderView {
  readonly order: Order
  readonly transactions: readonly Transaction[]
  readonly now: Instant
  /**
   * `paid`: completed or refunded; the page returns 200. `gone`: voided or expired; it returns 410. `closed`: the timer of
   * a plan's order ran out, and the payer goes to `order.timeout.url`.
   */
  readonly status: 'payable' | 'paid' | 'gone' | 'closed'
}

export async function orderForLink(
  ctx: PaymentsContext,
  businessId: string,
  linkId: string,
): Promise<LinkedOrderView> {
  const { orderId, closesAt } = readLinkId(linkId)
  const [read] = await readOrders(ctx.db, businessId, byIds([orderId]))
  if (read === undefined) throw errors.link_not_found()
  const { order, transactions, now } = read
  // A download link carries no closing time: an invoice is payable until the timer ends.
  return { order, transactions, now, status: statusOf(order, closesAt ?? timerEnd(order), now) }
}

function statusOf(order: Order, closesAt: Instant | null, now: Instant): LinkedOrderView['status'] {
  if (order.state === 'completed' || order.state === 'refunded') return 'paid'
  if (!isPayable(order, now)) return 'gone'
  const closed = closesAt !== null && !isBefore(now, closesAt)
  return closed ? 'closed' : 'payable'
}

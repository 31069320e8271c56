import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext } from '../context.ts'
import { decideVoidOrder } from './decide-void-order.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { byIds } from '../storage/order-selector.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'

export type VoidedNow = 'voided' | 'paid' | 'waiting'

export interface OrderToVoid {
  readonly orderId: string
  readonly at: Instant
}

/**
 * Voids orders at the end of their grace, in one transaction (reference/recurring#uncollectible). An order with money, which
 * is rare, is only marked as being voided, so that nobody pays it any more; a job continues its void and calls the
 * acquirer. `paid`: the order was paid, so it stays.
 * @param findDue which of the orders are still to be voided, evaluated under their locks; the others are left out
 */
export function voidOrdersNow(
  ctx: PaymentsContext,
  businessId: string,
  orders: readonly OrderToVoid[],
  findDue: (tx: Tx) => Promise<ReadonlySet<string>>,
): Promise<Map<string, VoidedNow>> {
  return ctx.db.transact(businessId, (tx) => voidOrders(ctx, tx, orders, findDue))
}

/** Like `voidOrdersNow`, in the caller's transaction. */
export async function voidOrders(
  ctx: PaymentsContext,
  tx: Tx,
  orders: readonly OrderToVoid[],
  findDue: (tx: Tx) => Promise<ReadonlySet<string>>,
): Promise<Map<string, VoidedNow>> {
  const unit = await PaymentUnitOfWork.lock(ctx, tx, byIds(orders.map((order) => order.orderId)))
  const due = await findDue(tx)
  const voided = new Map<string, VoidedNow>()
  for (const { orderId, at } of orders) {
    const aggregate = unit.aggregates.get(orderId)
    if (aggregate !== undefined && due.has(orderId)) voided.set(orderId, voidNow(aggregate, at))
  }
  await unit.save()
  return voided
}

function voidNow(aggregate: OrderAggregate, at: Instant): VoidedNow {
  const { order, transactions } = aggregate
  const isPaid = order.state === 'completed' || order.state === 'refunded'
  if (isPaid && order.voiding === null) return 'paid'
  const decision = decideVoidOrder(order, transactions, 'grace', at)
  if ('refused' in decision || decision.kind === 'voided') return 'voided'
  if (order.voiding !== null) return 'waiting'
  if (decision.kind !== 'finish') {
    const voiding = { mode: 'grace', idempotencyId: null, requestId: null, dueAt: at, inquiries: 0 } as const
    aggregate.changeOrder({ voiding }, at)
    return 'waiting'
  }
  aggregate.void('grace', at)
  return 'voided'
}

import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext } from '../context.ts'
import { decideVoidOrder } from './decide-void-order.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { PaymentWork } from '../storage/payment-work.ts'
import { byIds } from '../storage/order-selector.ts'

export type VoidedNow = 'voided' | 'paid' | 'waiting'

export interface OrderToVoid {
  readonly orderId: string
  readonly at: Instant
}

/**
 * Voids orders at the end of their grace (decisions, section 5), in one transaction. Of those with money, which are few, it
 * begins the voids, so that nobody pays them any more; these go on by themselves, with their calls to the acquirer.
 * `paid`: it was paid, so nothing was done. An order that is not due any more is left out.
 * @param findDue which of the orders are still to be voided; asked when they are locked
 */
export function voidOrdersNow(
  ctx: PaymentsContext,
  businessId: string,
  orders: readonly OrderToVoid[],
  findDue: (tx: Tx) => Promise<ReadonlySet<string>>,
): Promise<Map<string, VoidedNow>> {
  return ctx.db.transact(businessId, async (tx) => {
    const work = await PaymentWork.lock(ctx, tx, byIds(orders.map((order) => order.orderId)))
    const due = await findDue(tx)
    const ends = new Map<string, VoidedNow>()
    for (const { orderId, at } of orders) {
      const ledger = work.ledgers.get(orderId)
      if (ledger !== undefined && due.has(orderId)) ends.set(orderId, voidNow(ledger, at))
    }
    await work.save()
    return ends
  })
}

function voidNow(ledger: OrderAggregate, at: Instant): VoidedNow {
  const { order, transactions } = ledger
  const isPaid = order.state === 'completed' || order.state === 'refunded'
  if (isPaid && order.voiding === null) return 'paid'
  const decided = decideVoidOrder(order, transactions, 'grace', at)
  if (decided.kind === 'voided' || decided.kind === 'refuse') return 'voided'
  if (order.voiding !== null) return 'waiting'
  if (decided.kind !== 'finish') {
    const voiding = { mode: 'grace', idempotencyId: null, requestId: null, dueAt: at, inquiries: 0 } as const
    ledger.changeOrder({ voiding }, at)
    return 'waiting'
  }
  ledger.move('void', at)
  return 'voided'
}

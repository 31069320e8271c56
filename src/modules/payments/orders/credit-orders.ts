import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext } from '../context.ts'
import type { OrderChangeOrigin } from '../model/order-change.ts'
import { byIds } from '../storage/order-selector.ts'
import type { OrderWithTransactions } from '../storage/order.repository.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'

export interface OrderCredit {
  readonly orderId: string
  readonly amount: Money
}

/**
 * Orders whose rows this transaction has locked.
 * - `credit`: Lowers what is to be paid of them. An order of which nothing is left to pay is completed, or voided if nothing
 *   was paid (reference/orders#credited). Amounts must be due, without a payment under way. Call it once.
 */
export interface LockedOrders {
  readonly orders: ReadonlyMap<string, OrderWithTransactions>
  readonly credit: (
    credits: readonly OrderCredit[],
    at: Instant,
    origin: OrderChangeOrigin,
  ) => Promise<ReadonlyMap<string, OrderWithTransactions>>
}

export async function lockOrdersToCredit(
  ctx: PaymentsContext,
  tx: Tx,
  ids: readonly string[],
): Promise<LockedOrders> {
  const unit = await PaymentUnitOfWork.lock(ctx, tx, byIds([...ids]))
  const current = () =>
    new Map([...unit.aggregates].map(([id, { order, transactions }]) => [id, { order, transactions }]))
  return {
    orders: current(),
    credit: async (credits, at, origin) => {
      for (const { orderId, amount } of credits) unit.aggregate(orderId).credit(amount, at)
      await unit.save(origin)
      return current()
    },
  }
}

import { type Instant, timeOfChange } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { dueTotal, isPayable, type Order } from '../model/order.ts'
import type { PaymentsContext } from '../context.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { TRANSACTION_STATES } from '../model/transaction.states.ts'
import { byIds } from '../storage/order-selector.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import { type MovedMoney, recordMoved } from './record-moved.ts'

interface ArrivedTransfer extends Pick<MovedMoney, 'amount' | 'valueDate' | 'reference'> {
  readonly orderId: string
}

const TRANSFER = { type: 'Sales', paymentMethod: 'bank_transfer', recordedBy: 'bank' } as const

/** - `returnedOn`: The local date on which it counts as returned by the bank; null for a match that was a mistake. */
interface UndoneTransfer {
  readonly orderId: string
  readonly transactionId: string
  readonly returnedOn: string | null
  readonly note: string
}

/**
 * Orders whose rows this transaction has locked. Call either `book` or `undo`, once.
 * - `dueOf`: Undefined for an order that cannot be paid.
 * - `valueDateOf`: YYYY-MM-DD.
 * - `book`: Returns the ids of the transactions. Money that has arrived is booked whatever is reserved or due.
 */
interface OrdersForTransfers {
  readonly orders: ReadonlyMap<string, Order>
  readonly dueOf: (orderId: string) => Money | undefined
  readonly valueDateOf: (orderId: string, transactionId: string) => string
  readonly book: (transfers: readonly ArrivedTransfer[]) => Promise<readonly string[]>
  readonly undo: (transfers: readonly UndoneTransfer[]) => Promise<void>
}

export async function lockOrdersForTransfers(
  ctx: PaymentsContext,
  tx: Tx,
  ids: readonly string[],
): Promise<OrdersForTransfers> {
  const unit = await PaymentUnitOfWork.lock(ctx, tx, byIds([...ids]))
  return {
    orders: new Map([...unit.aggregates].map(([id, { order }]) => [id, order])),
    dueOf: (orderId) => {
      const order = unit.aggregates.get(orderId)?.order
      return order !== undefined && isPayable(order, tx.now) ? dueTotal(order) : undefined
    },
    valueDateOf: (orderId, transactionId) => {
      const { valueDate } = unit.aggregate(orderId).transaction(transactionId)
      if (valueDate === null) throw new Error(`transfer ${transactionId} has no value date`)
      return valueDate
    },
    book: async (transfers) => {
      const booked = transfers.map(({ orderId, ...transfer }) =>
        recordMoved(unit.aggregate(orderId), { ...TRANSFER, ...transfer }, tx.now),
      )
      await unit.save()
      return booked.map(({ id }) => id)
    },
    undo: async (transfers) => {
      for (const transfer of transfers) undo(unit.aggregate(transfer.orderId), transfer, tx.now)
      await unit.save()
    },
  }
}

function undo(
  aggregate: OrderAggregate,
  { transactionId, note, returnedOn }: UndoneTransfer,
  now: Instant,
): void {
  const at = timeOfChange(aggregate.order, now)
  aggregate.change(transactionId, { state: TRANSACTION_STATES.succeeded.void, note, returnedOn }, at)
  aggregate.recordEvent('transaction.voided', at, transactionId)
  aggregate.recalculate(at, 'void')
}

import { errorOf, throwIfRefused } from '#kernel/errors'
import { timeOfChange } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { givenCreditOf, type PaymentsContext } from '../context.ts'
import { errors } from '../errors.ts'
import { overpaidOf, type PaidOrder } from '../model/left-to-give-back.ts'
import { dueTotal, isPayable, type Order } from '../model/order.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import type { Transaction } from '../model/transaction.ts'
import { TRANSACTION_STATES } from '../model/transaction.states.ts'
import { byIds } from '../storage/order-selector.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import { decideRepayments } from './decide-repayments.ts'
import { decideUndo } from './decide-undo.ts'
import { type MovedMoney, recordMoved } from './record-moved.ts'

/** - `writeOffUpTo`: The rest that is due is written off if it is at most this. */
interface ArrivedMoney extends Omit<MovedMoney, 'type' | 'originalId'> {
  readonly orderId: string
  readonly writeOffUpTo?: Money | undefined
}

/** - `writtenOff`: What was given up because less was due than `writeOffUpTo`. */
interface BookedMoney {
  readonly transactionId: string
  readonly writtenOff: Money | undefined
}

/**
 * - `returnedOn`: The local date on which it counts as returned by the bank; null for what was a mistake.
 * - `writtenOff`: What was given up when it was booked.
 */
interface UndoneMoney {
  readonly returnedOn: string | null
  readonly orderId: string
  readonly transactionId: string
  readonly note: string | null
  readonly writtenOff?: Money | undefined
}

/** - `amount`: By default all that is over-paid. */
interface RepaidMoney extends Pick<MovedMoney, 'valueDate' | 'reference' | 'note'> {
  readonly amount: Money | undefined
  readonly paymentMethod: MovedMoney['paymentMethod'] | undefined
}

/**
 * Orders whose rows this transaction has locked. Call one of `book`, `undo`, `repay`, `moveToCredit` and `writeOff`, once.
 * - `read`: An order as it is now, also after that call.
 * - `dueOf`: Undefined for an order that cannot be paid.
 * - `valueDateOf`: YYYY-MM-DD.
 * - `takesMoney`: Whether money that has arrived can be booked on an order, which may be paid already.
 * - `book`: Money that has arrived is booked whatever is reserved or due.
 * - `isInUse`: Whether a payment cannot be undone, because something of it was given back or became credit of a plan.
 * - `repay`: Returns the refunds, one for each payment.
 * - `moveToCredit`: Takes what is over-paid off the order, and returns it.
 * - `writeOff`: Gives up a part of what is due. Refused while a payment is under way.
 */
export interface OrdersForTransfers {
  readonly orders: ReadonlyMap<string, Order>
  readonly read: (orderId: string) => PaidOrder
  readonly dueOf: (orderId: string) => Money | undefined
  readonly valueDateOf: (orderId: string, transactionId: string) => string
  readonly takesMoney: (orderId: string) => boolean
  readonly book: (moved: readonly ArrivedMoney[]) => Promise<readonly BookedMoney[]>
  readonly isInUse: (orderId: string, transactionIds: readonly string[]) => boolean
  readonly undo: (undone: readonly UndoneMoney[]) => Promise<void>
  readonly repay: (orderId: string, repaid: RepaidMoney) => Promise<readonly Transaction[]>
  readonly moveToCredit: (orderId: string) => Promise<Money>
  readonly writeOff: (orderId: string, amount: Money) => Promise<void>
}

export async function lockOrdersForTransfers(
  ctx: PaymentsContext,
  tx: Tx,
  ids: readonly string[],
): Promise<OrdersForTransfers> {
  const unit = await PaymentUnitOfWork.lock(ctx, tx, byIds([...ids]))
  const givenOf = async ({ order }: OrderAggregate) => (await givenCreditOf(ctx, tx, [order])).get(order.id)
  const atOf = (aggregate: OrderAggregate) => timeOfChange(aggregate.order, tx.now)
  return {
    orders: new Map([...unit.aggregates].map(([id, { order }]) => [id, order])),
    read: (orderId) => {
      const { order, transactions } = unit.aggregate(orderId)
      return { order, transactions }
    },
    dueOf: (orderId) => {
      const order = unit.aggregates.get(orderId)?.order
      return order !== undefined && isPayable(order, tx.now) ? dueTotal(order) : undefined
    },
    valueDateOf: (orderId, transactionId) => {
      const { valueDate } = unit.aggregate(orderId).transaction(transactionId)
      if (valueDate === null) throw new Error(`transfer ${transactionId} has no value date`)
      return valueDate
    },
    takesMoney: (orderId) => {
      const { order } = unit.aggregate(orderId)
      return isPayable(order, tx.now) || (order.state === 'completed' && order.voiding === null)
    },
    book: async (arrived) => {
      const booked = arrived.map((moved) => book(unit.aggregate(moved.orderId), moved, unit))
      await unit.save()
      return booked
    },
    isInUse: (orderId, transactionIds) => {
      const aggregate = unit.aggregate(orderId)
      const undone = transactionIds.map((id) => aggregate.transaction(id))
      return decideUndo(aggregate, undone)?.refused === 'payment_in_use'
    },
    undo: async (undone) => {
      for (const one of undone) undo(unit.aggregate(one.orderId), one, unit)
      await unit.save()
    },
    repay: async (orderId, { amount, paymentMethod, ...moved }) => {
      const aggregate = unit.aggregate(orderId)
      const decided = decideRepayments(aggregate, await givenOf(aggregate), amount)
      if ('refused' in decided) throw errorOf(errors, decided)
      const refunds = decided.map(({ payment, amount: part }) =>
        recordMoved(
          aggregate,
          {
            ...moved,
            type: 'Refund',
            amount: part,
            originalId: payment.id,
            paymentMethod: paymentMethod ?? payment.paymentMethod,
            recordedBy: 'manual',
          },
          tx.now,
        ),
      )
      await unit.save()
      return refunds.map(({ id }) => aggregate.transaction(id))
    },
    moveToCredit: async (orderId) => {
      const aggregate = unit.aggregate(orderId)
      if (aggregate.order.voiding !== null) throw errors.payment_in_progress()
      const overpaid = overpaidOf(aggregate, await givenOf(aggregate))
      if (!overpaid.isPositive()) throw errors.nothing_overpaid()
      aggregate.moveToCredit(overpaid, atOf(aggregate))
      await unit.save()
      return overpaid
    },
    writeOff: async (orderId, amount) => {
      const aggregate = unit.aggregate(orderId)
      if (aggregate.order.reservedTotal.isPositive()) throw errors.payment_in_progress()
      aggregate.writeOff(amount, atOf(aggregate))
      await unit.save()
    },
  }
}

function book(aggregate: OrderAggregate, money: ArrivedMoney, { tx }: PaymentUnitOfWork): BookedMoney {
  const { writeOffUpTo } = money
  const { id: transactionId } = recordMoved(aggregate, { ...money, type: 'Sales' }, tx.now)
  const { order } = aggregate
  const due = dueTotal(order)
  const isWrittenOff =
    writeOffUpTo !== undefined &&
    order.state === 'open' &&
    order.voiding === null &&
    !order.reservedTotal.isPositive() &&
    due.isPositive() &&
    !due.greaterThan(writeOffUpTo)
  if (isWrittenOff) aggregate.writeOff(due, timeOfChange(order, tx.now))
  return { transactionId, writtenOff: isWrittenOff ? due : undefined }
}

function undo(
  aggregate: OrderAggregate,
  { transactionId, note, returnedOn, writtenOff }: UndoneMoney,
  { tx }: PaymentUnitOfWork,
): void {
  const at = timeOfChange(aggregate.order, tx.now)
  const before = aggregate.transaction(transactionId)
  throwIfRefused(errors, decideUndo(aggregate, [before]))
  aggregate.change(
    transactionId,
    { state: TRANSACTION_STATES.succeeded.void, returnedOn, ...(note !== null && { note }) },
    at,
  )
  aggregate.recordEvent('transaction.voided', at, transactionId)
  if (writtenOff !== undefined) aggregate.undoWriteOff(writtenOff, at)
  aggregate.recalculate(at, before.type === 'Refund' ? 'undone_refund' : 'void')
}

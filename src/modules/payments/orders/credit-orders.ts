import type { Instant } from '#kernel/clock'
import { errorOf } from '#kernel/errors'
import type { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { givenCreditOf, type PaymentsContext } from '../context.ts'
import { errors } from '../errors.ts'
import { leftOfOrder } from '../model/left-to-give-back.ts'
import type { OrderAggregate, Rebill } from '../model/order-aggregate.ts'
import type { OrderChangeOrigin } from '../model/order-change.ts'
import { initiateRefund } from '../operations/initiate.ts'
import { byIds } from '../storage/order-selector.ts'
import { updateBill } from '../storage/order.repository.ts'
import type { OrderWithTransactions } from '../storage/order-read.repository.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import { decideOrderRefunds } from './decide-order-refunds.ts'

/**
 * - `paid`: Credits `amount` beyond what is due: the order is then over-paid, or less of it stays written off. `uncredited` is what
 *   all notes leave of the invoice.
 * - `noted`: What a credit note refunds.
 */
interface OrderCredit {
  readonly orderId: string
  readonly amount: Money
  readonly paid?: { readonly amount: Money; readonly uncredited: Money } | undefined
  readonly noted?: Money | undefined
  readonly at: Instant
}

/** An amount to give back from payments of the locked orders, newest payment first, at most what is left of them. */
interface OrderRefund {
  readonly amount: Money
  readonly note: string
  readonly at: Instant
}

/**
 * Orders whose rows this transaction has locked.
 * - `leftToGiveBack`: What is left to give back of one of them.
 * - `credit`: Lowers what is to be paid of the orders, and what paid ones are worth. If nothing is left to pay, an order is completed, or voided if nothing
 *   was paid (reference/orders#billing). Amounts must be due, without a payment under way. Call it once.
 * - `rebill`: Gives an order another invoice of the same lines, which may ask for less; what was paid above that stays paid.
 */
export interface LockedOrders {
  readonly orders: ReadonlyMap<string, OrderWithTransactions>
  readonly leftToGiveBack: (orderId: string) => Promise<Money>
  readonly credit: (
    credits: readonly OrderCredit[],
    origin: OrderChangeOrigin,
    refund?: OrderRefund,
  ) => Promise<ReadonlyMap<string, OrderWithTransactions>>
  readonly rebill: (
    orderId: string,
    bill: Rebill & { readonly at: Instant },
    origin: OrderChangeOrigin,
  ) => Promise<OrderWithTransactions>
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
    leftToGiveBack: async (orderId) => {
      const { order, transactions } = unit.aggregate(orderId)
      const given = await givenCreditOf(ctx, tx, [order])
      return leftOfOrder({ order, transactions }, given.get(orderId))
    },
    credit: async (credits, origin, refund) => {
      for (const credit of credits) applyCredit(unit.aggregate(credit.orderId), credit)
      if (refund !== undefined) refundNewestFirst(unit, refund, await givenOf(ctx, unit))
      await unit.save(origin)
      return current()
    },
    rebill: async (orderId, { at, ...bill }, origin) => {
      const aggregate = unit.aggregate(orderId)
      aggregate.rebill(bill, at)
      tx.defer(updateBill(tx, aggregate.order))
      await unit.save(origin)
      return { order: aggregate.order, transactions: aggregate.transactions }
    },
  }
}

function applyCredit(aggregate: OrderAggregate, { amount, paid, noted, at }: OrderCredit): void {
  if (amount.isPositive()) aggregate.credit(amount, at)
  if (paid?.amount.isPositive() === true) aggregate.creditPaid(paid.amount, paid.uncredited, at)
  if (noted?.isPositive() === true) aggregate.noteRefunds(noted, at)
}

function givenOf(ctx: PaymentsContext, unit: PaymentUnitOfWork): Promise<ReadonlyMap<string, Money>> {
  return givenCreditOf(
    ctx,
    unit.tx,
    [...unit.aggregates.values()].map(({ order }) => order),
  )
}

/** The resolver sends the refunds once this transaction has committed. */
function refundNewestFirst(
  unit: PaymentUnitOfWork,
  { amount, note, at }: OrderRefund,
  creditGiven: ReadonlyMap<string, Money>,
): void {
  const decided = decideOrderRefunds([...unit.aggregates.values()], creditGiven, amount)
  if ('refused' in decided) throw errorOf(errors, decided)
  for (const { payment, amount: part } of decided) {
    const aggregate = unit.aggregate(payment.orderId)
    initiateRefund(unit, aggregate, payment, part, { at, status: 'queued', note })
    aggregate.recalculate(at)
  }
}

import { earliestOf } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext } from '../context.ts'
import { ORDER_EXPIRY } from '../job-names.ts'
import { scheduleJob } from '#platform/jobs/jobs'
import { OrderAggregate } from '../model/order-aggregate.ts'
import type { OrderChangeOrigin } from '../model/order-change.ts'
import { insertOrders } from '../storage/order.repository.ts'
import { type NewOrder, type Order, runsOutAt } from '../model/order.ts'
import { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'

export async function createOrders(
  ctx: PaymentsContext,
  tx: Tx,
  newOrders: readonly NewOrder[],
  origin?: OrderChangeOrigin,
): Promise<(Order | undefined)[]> {
  if (newOrders.length === 0) return []
  const orders = newOrders.map(toOrder)
  const inserting = insertOrders(tx, orders)
  const prepared = ctx.events.prepare(tx)
  const expiresAt = earliestOf(orders.map((order) => order.expiresAt))
  if (expiresAt !== null) tx.defer(scheduleJob(tx, ORDER_EXPIRY, expiresAt))
  const inserted = await inserting
  const unit = new PaymentUnitOfWork(
    ctx,
    tx,
    orders
      .map((order, index) => ({ order, cause: newOrders[index]?.cause }))
      .filter(({ order }) => inserted.has(order.id))
      .map(({ order, cause }) => {
        const aggregate = new OrderAggregate(order, [], true)
        aggregate.causedBy(cause)
        aggregate.recordEvent('order.created', order.createdAt)
        if (order.state === 'completed') aggregate.recordEvent('order.paid', order.createdAt)
        return aggregate
      }),
    prepared,
  )
  await unit.save(origin)
  return orders.map((order) => (inserted.has(order.id) ? order : undefined))
}

function toOrder(order: NewOrder): Order {
  const { at, timeout = null, initialTotal } = order
  const zero = Money.zero(initialTotal.currency)
  const isPaid = initialTotal.isZero()
  return {
    id: order.id ?? newId('ord'),
    source: order.source,
    type: order.type,
    referenceNumber: order.referenceNumber,
    currency: initialTotal.currency,
    dueDate: order.dueDate ?? null,
    initialTotal,
    initialTips: order.initialTips ?? zero,
    paidTotal: zero,
    reservedTotal: order.reserved ?? zero,
    creditedTotal: zero,
    writtenOff: zero,
    movedToCredit: zero,
    notedRefunds: zero,
    creditReturned: zero,
    state: isPaid ? 'completed' : 'open',
    customerUuid: order.customerUuid ?? null,
    planId: order.planId ?? null,
    billingKind: order.billingKind ?? 'period',
    invoice: order.invoice ?? null,
    tax: order.tax ?? null,
    returnUrl: order.returnUrl ?? null,
    notifyUrl: order.notifyUrl ?? null,
    timeout,
    expiresAt: isPaid ? null : runsOutAt({ type: order.type, timeout, createdAt: at }),
    lineItems: order.lineItems?.map((line) => ({ ...line, uuid: newId('li') })) ?? null,
    metadata: order.metadata ?? null,
    planMetadata: order.planMetadata ?? null,
    voiding: null,
    createdAt: at,
    updatedAt: at,
  }
}

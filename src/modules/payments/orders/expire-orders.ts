import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { nextHourAt } from '#kernel/inquiry-times'
import type { Job } from '#platform/jobs/jobs'
import type { PaymentsContext } from '../context.ts'
import { ORDER_EXPIRY } from '../job-names.ts'
import { decideExpiry } from '../model/order.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { earliestOrderTime, lockDueOrders } from '../storage/order.repository.ts'
import { assembleAggregates, PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import { transactionsOf } from '../storage/transaction.repository.ts'
import { byIds } from '../storage/order-selector.ts'

const BATCH = 200
export function orderExpiry(ctx: PaymentsContext): Job {
  return {
    name: ORDER_EXPIRY,
    clock: 'business',
    domain: 'one-off orders',
    waitsForOutcomes: true,
    nextRunAt: (tx) => earliestOrderTime(tx, 'expires_at'),
    run: ({ businessId, until, timeOf, quietUntil }) =>
      ctx.db.transact(businessId, async (tx) => {
        const due = sql`o.expires_at <= ${toRfc3339(until)}`
        const orders = await lockDueOrders(tx, due, sql`o.expires_at`, BATCH)
        if (orders.length === 0) return 0
        const transactions = await transactionsOf(tx, byIds(orders.map((order) => order.id)))
        const unit = new PaymentUnitOfWork(ctx, tx, assembleAggregates(orders, transactions))
        for (const aggregate of unit.aggregates.values())
          expire(aggregate, timeOf(aggregate.order.expiresAt ?? until), quietUntil)
        await unit.save()
        return orders.length
      }),
  }
}

function expire(aggregate: OrderAggregate, at: Instant, quietUntil: Instant | undefined): void {
  const { order } = aggregate
  const expiry = decideExpiry(order)
  if (expiry === 'never') aggregate.changeOrder({ expiresAt: null }, order.updatedAt)
  else if (expiry === 'expires') aggregate.move('expire', at)
  else aggregate.changeOrder({ expiresAt: nextHourAt(at, quietUntil) }, order.updatedAt)
}

import type { Instant } from '#kernel/clock'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import type { PaymentUnitOfWork } from '../storage/payment-unit-of-work.ts'
import type { OrderVoidEnd, OrderVoidResult } from '../model/order-void-result.ts'

export function endOrderVoid(aggregate: OrderAggregate, end: OrderVoidEnd, at: Instant): OrderVoidResult {
  aggregate.changeOrder({ voiding: null }, at)
  aggregate.recalculate(at)
  return { ...end, order: aggregate.order, transactions: aggregate.transactions, at }
}

export function endFailedOrderVoid(
  unit: PaymentUnitOfWork,
  aggregate: OrderAggregate,
  kind: 'declined' | 'refused',
  at: Instant,
): void {
  const { voiding } = aggregate.order
  if (voiding?.mode !== 'merchant') return
  const result = endOrderVoid(aggregate, { kind }, at)
  unit.keepReply(voiding, () => result)
}

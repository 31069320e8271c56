import type { Instant } from '#kernel/clock'
import type { NewEvent } from '#platform/events/events'
import { renderOrder, renderTruncatedOrder, renderTransaction } from './render.ts'
import { OrderEventData, TransactionEventData } from './schemas.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import type { PaymentEvent } from '../model/order-event.ts'

export const PAYMENT_EVENTS = {
  'order.created': OrderEventData,
  'order.updated': OrderEventData,
  'order.paid': OrderEventData,
  'order.voided': OrderEventData,
  'order.expired': OrderEventData,
  'order.refunded': OrderEventData,
  'transaction.succeeded': TransactionEventData,
  'transaction.failed': TransactionEventData,
  'transaction.pending': TransactionEventData,
  'transaction.voided': TransactionEventData,
  'transaction.resolved': TransactionEventData,
} as const satisfies Record<PaymentEvent, object>

/** The bound of reference/events#payloads. */
const MAX_TRANSACTIONS = 20

/** Events of one order, which show it when its changes are saved. Their size does not grow with the number of transactions. */
export function renderEvents(aggregate: OrderAggregate): NewEvent[] {
  const { order, transactions, recordedEvents } = aggregate
  const renderedAt = new Map<number, object>()
  return recordedEvents.map(({ type, at, transactionId, cause }) => {
    const rendered = renderedAt.get(at.epochMilliseconds) ?? renderOrderOf(aggregate, at)
    renderedAt.set(at.epochMilliseconds, rendered)
    const transaction = transactionId === null ? null : aggregate.transaction(transactionId)
    const data = {
      order: rendered,
      ...(transaction !== null && { transaction: renderTransaction(transaction, transactions, at) }),
    }
    const keepsActor = transaction !== null || type === 'order.voided'
    return { type, objectId: order.id, timestamp: at, data, keepsActor, cause }
  })
}

function renderOrderOf(aggregate: OrderAggregate, at: Instant): object {
  const { order, transactions, changedTransactions } = aggregate
  if (transactions.length <= MAX_TRANSACTIONS) return renderOrder(order, transactions, at)
  const changed = new Set(changedTransactions.map(({ transaction }) => transaction.id))
  const newest = transactions.filter(({ id }) => changed.has(id)).slice(-MAX_TRANSACTIONS)
  return renderTruncatedOrder(order, transactions, newest, at)
}

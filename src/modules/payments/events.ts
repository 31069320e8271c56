import { OrderData, TransactionWithOrder } from './api/schemas.ts'

/**
 * What is told of orders and of their transactions (decisions, section 8), with the shape of `data`. All are counted per
 * order. Which are written when, and in which order: docs/decisions/0040.
 */
export const PAYMENT_EVENTS = {
  'order.created': OrderData,
  'order.updated': OrderData,
  'order.paid': OrderData,
  'order.voided': OrderData,
  'order.expired': OrderData,
  'order.refunded': OrderData,
  'transaction.succeeded': TransactionWithOrder,
  'transaction.failed': TransactionWithOrder,
  'transaction.pending': TransactionWithOrder,
  'transaction.voided': TransactionWithOrder,
  'transaction.resolved': TransactionWithOrder,
} as const
export type PaymentEvent = keyof typeof PAYMENT_EVENTS

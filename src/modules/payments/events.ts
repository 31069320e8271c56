/**
 * What is told of orders and of their transactions (decisions, section 8). All are counted per order. Which are written
 * when, and in which order: docs/decisions/0040.
 */
export const PAYMENT_EVENTS = [
  'order.created',
  'order.updated',
  'order.paid',
  'order.voided',
  'order.expired',
  'order.refunded',
  'transaction.succeeded',
  'transaction.failed',
  'transaction.pending',
  'transaction.voided',
  'transaction.resolved',
] as const
export type PaymentEvent = (typeof PAYMENT_EVENTS)[number]

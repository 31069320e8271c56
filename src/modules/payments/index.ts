export type {
  BegunCharge,
  Charge,
  ChargeOutcome,
  ChargeRefusal,
  DirectInstrument,
  FailedCharge,
  NewCharge,
  RecordedCharge,
} from './charge.ts'
export { errors as paymentErrors } from './errors.ts'
export type { OrderLinks, PaymentsNeeds } from './needs.ts'
export type { LinkedOrderView } from './order-for-link.ts'
export { notifyUrls } from './notify-url.ts'
export { correspondenceState, freeTotal, lineTotal, unpaidTotal } from './order.ts'
export type { LineItem, NewLineItem, NewOrder, Order, Timeout } from './order.ts'
export type { OrderChange, Reaction } from './order-change.ts'
export type { OrderAndTransactions as OrderWithTransactions } from './order.repository.ts'
export { Payments } from './payments.ts'
export { paymentRoutes } from './routes.ts'
export { isUnresolved } from './transaction.states.ts'
export type { TransactionState } from './transaction.states.ts'
export type { Transaction } from './transaction.ts'
export { verifyBooks } from './verify-books.ts'
export type { BookLine } from './verify-books.ts'
export { verifyPayments } from './verify.ts'

export type { AcquirerTransaction } from './storage/acquirer-transaction.repository.ts'
export type { Charge, ChargeRefusal, DirectInstrument } from './model/charge.ts'
export type { AcquirerResult } from './outcomes/acquirer-result.ts'
export { isHardDecline } from './outcomes/hard-decline.ts'
export { failureOf } from './outcomes/failure-of.ts'
export type { PaymentResult } from './model/payment-result.ts'
export type { OrderVoidResult } from './model/order-void-result.ts'
export { NO_INSTRUMENT, shownWallet } from './model/shown-instrument.ts'
export { errors as paymentErrors } from './errors.ts'
export type { LinkedOrderView } from './links/order-for-link.ts'
export { END_OPERATION_LEASES } from './storage/operation.repository.ts'
export { notifyUrls } from './orders/notify-url.ts'
export { readLinkId } from './links/order-links.ts'
export {
  correspondenceState,
  dueTotal,
  freeTotal,
  lineTotal,
  loweredBy,
  askedTotal,
  overpaidTotal,
  payableTotal,
  payerReference,
  subtotal,
} from './model/order.ts'
export type {
  BilledLine,
  BillingKind,
  LineItem,
  LineKind,
  NewLineItem,
  NewOrder,
  Order,
  Timeout,
} from './model/order.ts'
export type { OrderMoney } from './storage/order-money.repository.ts'
export {
  isForgiven,
  type OrderChange,
  type OrderChangeOrigin,
  type OrdersChangedHandler,
} from './model/order-change.ts'
export {
  grossOf,
  isRefund,
  leftOfLines,
  leftOfOrder,
  leftOfOrders,
  type PaidOrder,
  takenOver,
} from './model/left-to-give-back.ts'
export type { LockedOrders } from './orders/credit-orders.ts'
export type { PaidOrderView } from './orders/paid-orders.ts'
export type { OrderWithTransactions } from './storage/order-read.repository.ts'
export { addOutcomeMetrics } from './outcome-metrics.ts'
export { DECIDED_BY_A_PERSON } from './resolver/resolve-by-hand.ts'
export type { OrderStep } from './upcoming/order-steps.ts'
export type { OrdersForTransfers } from './transfers/lock-for-transfers.ts'
export { retryRecording } from './operations/record-for-caller.ts'
export { isUnresolved } from './model/transaction.states.ts'
export { type CountedMoney, countedMoney } from './model/counted-money.ts'
export { DECLINED_FAILURES, declineCodeOf, isByHand, isMovedOutside } from './model/transaction.ts'
export type { PayerAction, Transaction } from './model/transaction.ts'
export type { DisputedPayment } from './storage/disputed-money.repository.ts'
export type { LostPayment } from './storage/transaction.repository.ts'
export { verifyBooks } from './audit/verify-books.ts'
export type { BookLine } from './audit/verify-books.ts'
export { inquireAllNow, skipReceiptNumbers, unknownKeys } from './recovery/recover-payments.ts'
export { hasOrderSince, PAYMENTS_PERSONAL_DATA } from './storage/personal-data.ts'
export {
  BilledLineMembers,
  OrderSchema,
  OrderTaxSchema,
  PAYMENT_EVENTS,
  type Payments,
  paymentsModule,
  renderBilledLine,
  renderOrder,
  renderPayment,
  renderTax,
  renderTransaction,
  renderTransactionWithOrder,
  type StoredTransaction,
  TransactionData,
  TransactionSchema,
  TransactionWithOrder,
} from './module.ts'

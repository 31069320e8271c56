export type {
  BegunCharge,
  Charge,
  ChargeOutcome,
  ChargeRefusal,
  FailedCharge,
  NewCharge,
  RecordedCharge,
} from './charge.ts'
export type { OrderLinks, PaymentsNeeds } from './needs.ts'
export { correspondenceState, freeTotal, lineTotal, unpaidTotal } from './order.ts'
export type { LineItem, NewLineItem, NewOrder, Order, Timeout } from './order.ts'
export type { OrderChange, Reaction } from './order-change.ts'
export { Payments } from './payments.ts'
export type { OrderWithTransactions } from './payments.ts'
export { isUnresolved } from './transaction.states.ts'
export type { TransactionState } from './transaction.states.ts'
export type { Transaction } from './transaction.ts'

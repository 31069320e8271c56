import { errors } from '../errors.ts'
import { byIdentifiers, byTransaction, type OrderSelector } from '../storage/order-selector.ts'

export interface OrderIdentifiers {
  readonly number?: string
  readonly reference_number?: string
}

export interface TransactionIdentifiers {
  readonly uuid?: string
  readonly reference_id?: string
}

export function requireIdentifier(order: OrderIdentifiers): void {
  if (order.number === undefined && order.reference_number === undefined) {
    throw errors.identifier_missing({
      param: 'order.number',
      message: 'order needs number, reference_number or both.',
    })
  }
}

export function orderSelector(order: OrderIdentifiers): OrderSelector {
  requireIdentifier(order)
  return byIdentifiers(order)
}

export function orderParam(order: OrderIdentifiers): string {
  return order.number === undefined ? 'order.reference_number' : 'order.number'
}

export function requireTransactionIdentifier(transaction: TransactionIdentifiers): void {
  if (transaction.uuid === undefined && transaction.reference_id === undefined) {
    throw errors.identifier_missing({
      param: 'transaction.uuid',
      message: 'transaction needs uuid, reference_id or both.',
    })
  }
}

export function transactionSelector(businessId: string, transaction: TransactionIdentifiers): OrderSelector {
  requireTransactionIdentifier(transaction)
  return byTransaction(businessId, transaction)
}

export function transactionParam(transaction: TransactionIdentifiers): string {
  return transaction.uuid === undefined ? 'transaction.reference_id' : 'transaction.uuid'
}

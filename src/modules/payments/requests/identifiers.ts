import type { RequestError } from '#kernel/errors'
import { platformErrors } from '#platform/errors'
import type { Database } from '#platform/postgres/database'
import { violates } from '#platform/postgres/database-errors'
import { errors } from '../errors.ts'
import type { OrderIdentifiers, TransactionIdentifiers } from '../model/order-requests.ts'
import { byIdentifiers, byTransaction, type OrderSelector } from '../storage/order-selector.ts'
import { findByReferences } from '../storage/transaction.repository.ts'

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

/** Says so if the caller may have sent an identifier of its own in place of ours. */
export function orderNotFound(order: OrderIdentifiers): RequestError {
  const { number, reference_number: reference } = order
  const param = number === undefined ? 'order.reference_number' : 'order.number'
  const isOwn = number !== undefined && reference === undefined && !number.startsWith('ord_')
  if (!isOwn) return errors.order_not_found({ param })
  return errors.order_not_found({
    param,
    message:
      'There is no order with this number. number is what the service gave the order; send your own identifier as reference_number.',
  })
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

export function transactionNotFound(transaction: TransactionIdentifiers): RequestError {
  const { uuid, reference_id: reference } = transaction
  const param = uuid === undefined ? 'transaction.reference_id' : 'transaction.uuid'
  const isOwn = uuid !== undefined && reference === undefined && !uuid.startsWith('txn_')
  if (!isOwn) return errors.transaction_not_found({ param })
  return errors.transaction_not_found({
    param,
    message:
      'There is no transaction with this uuid. uuid is what the service gave the transaction; send your own identifier as reference_id.',
  })
}

/** Two requests may use the same `reference_id` for different orders at once. The unique index then refuses the second. */
export async function refuseTakenReference(
  { db }: { readonly db: Database },
  businessId: string,
  referenceId: string | undefined,
  param: string,
  error: unknown,
): Promise<never> {
  if (referenceId === undefined || !violates(error, 'transactions_reference_id')) throw error
  const taken = await db.transact(businessId, (tx) => findByReferences(tx, [referenceId]))
  throw referenceTaken(param, taken.get(referenceId))
}

export function referenceTaken(param: string, uuid: string | undefined): RequestError {
  return platformErrors.reference_id_taken({
    param,
    ...(uuid !== undefined && { data: { transaction: { uuid } } }),
  })
}

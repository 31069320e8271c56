import { timeOfChange } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { Money } from '#kernel/money'
import { beginOperation, type BeginOperation } from '../charges/initiate-operation.ts'
import type { Operation } from '../model/operation.ts'
import type { OrderAggregate } from '../model/order-aggregate.ts'
import { BEGUN, type Transaction } from '../model/transaction.ts'

export interface BeginTransaction extends BeginOperation {
  readonly referenceId?: string | null
  readonly note?: string | null
}

/** Begins a capture of `amount` of an authorization. */
export function beginCapture(
  ledger: OrderAggregate,
  original: Transaction,
  amount: Money,
  begin: BeginTransaction,
): Operation {
  return beginTransaction(ledger, 'Capture', original, amount, begin)
}

/** Begins a refund of `amount` (positive) of a sale or capture. */
export function beginRefund(
  ledger: OrderAggregate,
  original: Transaction,
  amount: Money,
  begin: BeginTransaction,
): Operation {
  return beginTransaction(ledger, 'Refund', original, amount.negated(), begin)
}

/** Begins the void of a transaction, under a key of its own: the void that failed before used up its key. */
export function beginVoid(
  ledger: OrderAggregate,
  transaction: Transaction,
  begin: BeginOperation,
): Operation {
  const key = newId('void')
  ledger.change(transaction.id, { voidKey: key, voidPending: true }, begin.at)
  return beginOperation(transaction, begin, key)
}

function beginTransaction(
  ledger: OrderAggregate,
  type: 'Capture' | 'Refund',
  original: Transaction,
  amount: Money,
  begin: BeginTransaction,
): Operation {
  const at = timeOfChange(ledger.order, begin.at)
  const transaction: Transaction = {
    ...original,
    ...BEGUN,
    id: newId('txn'),
    type,
    amount,
    referenceId: begin.referenceId ?? null,
    originalId: original.id,
    note: begin.note ?? null,
    createdAt: at,
    updatedAt: at,
  }
  ledger.add(transaction)
  return beginOperation(transaction, begin)
}

import type { Tx } from '#platform/postgres/database'
import type { Charge } from '../charges/charge.ts'
import type { PaymentsContext } from '../context.ts'
import type { Operation } from '../model/operation.ts'
import { findOperationWriters, findOperations } from './operation.repository.ts'
import { byIds } from './order-selector.ts'
import { lockOrders, lockOrderWriters } from './order.repository.ts'
import type { Order } from '../model/order.ts'
import { PaymentWork } from './payment-work.ts'
import { findTransactions, transactionsBeside } from './transaction.repository.ts'
import type { Transaction } from '../model/transaction.ts'

export interface LockedOperations {
  readonly work: PaymentWork
  /** Those that are still open, by key. */
  readonly operations: ReadonlyMap<string, Operation>
}

/**
 * Locks the orders of charges, one charge of each order, and reads only what somebody has changed since they began
 * (docs/decisions/0004). A charge keeps its order, its operation and its own transaction. That is unresolved, and whoever
 * changes it changes its operation, so the first two tell. All other transactions of the order are read in any case.
 */
export async function lockBegun(
  ctx: PaymentsContext,
  tx: Tx,
  charges: readonly Charge[],
): Promise<LockedOperations> {
  const transactions = charges.map(({ transaction }) => transaction)
  // The later statements run after the first has its locks, so they see what those protect.
  const looking = Promise.all([
    lockOrderWriters(tx, orderIdsOf(transactions)),
    findOperationWriters(tx, idsOf(transactions)),
    transactionsBeside(tx, transactions),
  ])
  const prepared = ctx.events.prepare(tx)
  const [orderWriters, operationWriters, beside] = await looking
  const { left = [], changed = [] } = Object.groupBy(charges, ({ transaction, begun: { writer } }) =>
    orderWriters.get(transaction.orderId) === writer && operationWriters.get(transaction.id) === writer
      ? 'left'
      : 'changed',
  )
  const read = await readAgain(
    tx,
    changed.map(({ transaction }) => transaction),
  )
  const all = [...left.map(({ transaction }) => transaction), ...read.transactions, ...beside]
  return {
    // Ids grow with time.
    work: PaymentWork.of(
      ctx,
      tx,
      [...left.map(({ begun }) => begun.order), ...read.orders],
      all.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
      prepared,
    ),
    operations: new Map(
      [...left.map(({ begun }) => begun.operation), ...read.operations].map((one) => [one.key, one]),
    ),
  }
}

async function readAgain(
  tx: Tx,
  changed: readonly Transaction[],
): Promise<{ orders: Order[]; transactions: Transaction[]; operations: Operation[] }> {
  if (changed.length === 0) return { orders: [], transactions: [], operations: [] }
  const [orders, transactions, operations] = await Promise.all([
    lockOrders(tx, byIds(orderIdsOf(changed))),
    findTransactions(tx, idsOf(changed)),
    findOperations(tx, idsOf(changed)),
  ])
  return { orders, transactions: [...transactions.values()], operations: [...operations.values()] }
}

function idsOf(transactions: readonly Transaction[]): string[] {
  return transactions.map(({ id }) => id)
}

function orderIdsOf(transactions: readonly Transaction[]): string[] {
  return transactions.map(({ orderId }) => orderId)
}

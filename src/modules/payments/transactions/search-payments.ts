import { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { matchOf, type Search, type SearchHit } from '#platform/search/search'
import {
  type FoundOrder,
  type FoundTransaction,
  findOrdersByText,
  findTransactionsByText,
} from '../storage/search.repository.ts'

export async function searchPayments(tx: Tx, search: Search): Promise<SearchHit[]> {
  const [orders, transactions] = await Promise.all([
    findOrdersByText(tx, search),
    findTransactionsByText(tx, search),
  ])
  return [
    ...orders.map((order) => hitOfOrder(search, order)),
    ...transactions.map((transaction) => hitOfTransaction(search, transaction)),
  ]
}

function hitOfOrder(search: Search, order: FoundOrder): SearchHit {
  const isAmount = search.amountKey !== undefined && order.amount_key === search.amountKey
  return {
    type: 'order',
    id: order.id,
    parentId: null,
    title: order.reference_number,
    subtitle: order.customer_uuid,
    customerUuid: order.customer_uuid,
    reference: order.reference_number,
    amount: Money.ofMinor(order.currency, order.initial_total_minor),
    state: order.state,
    createdAt: order.created_at,
    match: isAmount ? 'exact' : matchOf(search, [order.id, order.reference_number]),
  }
}

function hitOfTransaction(search: Search, transaction: FoundTransaction): SearchHit {
  const isAmount = search.amountKey !== undefined && transaction.amount_key === search.amountKey
  return {
    type: 'transaction',
    id: transaction.id,
    parentId: transaction.order_id,
    title: transaction.reference_id ?? transaction.type,
    subtitle:
      transaction.last_4 === null ? transaction.type : `${transaction.type} •••• ${transaction.last_4}`,
    amount: Money.ofMinor(transaction.currency, transaction.amount_minor),
    state: transaction.state,
    createdAt: transaction.created_at,
    match: isAmount
      ? 'exact'
      : matchOf(search, [transaction.id, transaction.reference_id, transaction.last_4]),
  }
}

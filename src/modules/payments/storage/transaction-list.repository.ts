import sql, { type Sql } from 'sql-template-tag'
import type { Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { byIds } from './order-selector.ts'
import {
  toTransaction,
  TRANSACTION_COLUMNS,
  type TransactionRow,
  transactionsOf,
} from './transaction.repository.ts'
import type { Transaction } from '../model/transaction.ts'

interface ListedTransaction {
  readonly transaction: Transaction
  readonly customerUuid: string | null
}

/**
 * Newest first, with one transaction more than the page holds. `related` are all transactions of their orders, which decide
 * what may still be voided and refunded.
 */
export async function listTransactions(
  tx: Tx,
  filter: Sql | undefined,
  page: PageRequest,
): Promise<{
  listed: ListedTransaction[]
  related: Map<string, Transaction[]>
}> {
  const rows = await tx.query<TransactionRow & { customer_uuid: string | null }>(sql`
    select ${TRANSACTION_COLUMNS}, o.customer_uuid
      from (select * from transactions t
             where t.business_id = ${tx.businessId} and ${filter ?? sql`true`}
             ${rowsOfPage(page, sql`t.created_at`, sql`t.id`)}) t
      join orders o on o.business_id = ${tx.businessId} and o.id = t.order_id
     order by t.created_at desc, t.id desc`)
  const listed = rows.map((row) => ({ transaction: toTransaction(row), customerUuid: row.customer_uuid }))
  const orderIds = new Set(listed.map(({ transaction }) => transaction.orderId))
  const related = orderIds.size === 0 ? [] : await transactionsOf(tx, byIds([...orderIds]))
  return { listed, related: Map.groupBy(related, ({ orderId }) => orderId) }
}

/**
 * A state in terms of indexed columns. Nearly all transactions succeeded; those that are initiated are few, and each has an
 * operation.
 */
export function narrowState(state: string): Sql | undefined {
  if (state === 'succeeded') return undefined
  if (state !== 'initiated') return sql`t.notable_state = ${state}`
  return sql`t.id = any (array(
    select a.transaction_id from acquirer_operations a
     where a.business_id = current_setting('quittance.business_id', true)))`
}

import sql, { type Sql } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { FilterFields } from '#platform/filter/filter-sql'
import { minorPerUnit, narrowAmount } from '#platform/filter/minor-units'
import type { Tx } from '#platform/postgres/database'
import { type PageRequest, rowsOfPage } from '#platform/http/validation/list'
import { byIds } from './order-selector.ts'
import { TRANSACTIONS, transactionsOf } from './transaction.repository.ts'
import { PAYMENT_METHODS, type Transaction, TRANSACTION_TYPES } from '../model/transaction.ts'
import { TRANSACTION_STATES } from '../model/transaction.states.ts'

export const TRANSACTION_FIELDS: FilterFields = {
  uuid: { type: 'text', column: sql`t.id`, prefix: true },
  reference_id: { type: 'text', column: sql`t.reference_id`, prefix: true },
  type: {
    type: 'enum',
    column: sql`t.type`,
    values: TRANSACTION_TYPES,
    narrow: (type) => (type === 'Sales' ? undefined : sql`t.type <> 'Sales'`),
  },
  state: {
    type: 'enum',
    column: sql`t.state`,
    values: Object.keys(TRANSACTION_STATES),
    narrow: narrowState,
  },
  decline_code: {
    type: 'text',
    column: sql`t.decline_code`,
    narrow: () => sql`t.notable_state = 'failed'`,
  },
  amount: {
    type: 'decimal',
    column: sql`(t.amount_minor / ${minorPerUnit(sql`t.currency`)})`,
    narrow: narrowAmount(sql`t.amount_key`),
  },
  currency: { type: 'text', column: sql`t.currency` },
  created_at: { type: 'time', column: sql`t.created_at` },
  value_date: {
    type: 'date',
    column: sql`t.value_date`,
    otherwise: { at: sql`t.created_at`, when: sql`t.succeeded_at is not null` },
  },
  acquirer: { type: 'text', column: sql`t.acquirer_name` },
  account_id: { type: 'text', column: sql`t.acquirer_account_id` },
  payment_method: { type: 'enum', column: sql`t.payment_method`, values: PAYMENT_METHODS },
  last_4_digits: { type: 'text', column: sql`t.last_4` },
  order_number: { type: 'text', column: sql`t.order_id` },
  customer_uuid: {
    type: 'text',
    column: sql`(select o.customer_uuid from orders o where o.business_id = t.business_id and o.id = t.order_id)`,
    narrow: (uuid) => sql`t.order_id = any (array(
      select c.id from orders c
       where c.business_id = current_setting('quittance.business_id', true) and c.customer_uuid = ${uuid}))`,
  },
}

interface JoinedOrder {
  customer_uuid: string | null
  order_reference: string
  invoice_number: string | null
}

export interface ListedTransaction {
  readonly transaction: Transaction
  readonly transactions: readonly Transaction[]
  readonly customerUuid: string | null
  readonly orderReference: string
  readonly invoiceNumber: string | null
  readonly at: Instant
}

export function listTransactions(tx: Tx, condition: Sql, page: PageRequest): Promise<ListedTransaction[]> {
  return readListed(
    tx,
    sql`select * from transactions t
         where t.business_id = ${tx.businessId} and ${condition}
         ${rowsOfPage(page, sql`t.created_at`, sql`t.id`)}`,
  )
}

/**
 * Lists what was made, moved money or was returned in these days. Each of these has an index of its own, so no query reads what
 * lies outside of them.
 */
export function listTransactionsOfDays(
  tx: Tx,
  { from, to, start, end }: Days,
  condition: Sql,
  page: PageRequest,
): Promise<ListedTransaction[]> {
  const part = (days: Sql) => sql`(
    select * from transactions t
     where t.business_id = ${tx.businessId} and ${days} and ${condition}
     ${rowsOfPage(page, sql`t.created_at`, sql`t.id`)})`
  const made = sql`t.value_date is null and t.created_at >= ${start}::timestamptz and t.created_at < ${end}::timestamptz`
  const moved = sql`t.value_date between ${from}::date and ${to}::date`
  const returned = sql`t.returned_on between ${from}::date and ${to}::date
       and (${made}) is not true and (${moved}) is not true`
  return readListed(
    tx,
    sql`select * from (${part(made)} union all ${part(moved)} union all ${part(returned)}) t
         order by t.created_at desc, t.id desc limit ${page.limit + 1}`,
  )
}

/** - `from`, `to`: YYYY-MM-DD. `start`, `end`: the times at which the first day begins and the day after the last. */
export interface Days {
  readonly from: string
  readonly to: string
  readonly start: string
  readonly end: string
}

async function readListed(tx: Tx, rowsOfPageOnly: Sql): Promise<ListedTransaction[]> {
  const rows = await tx.query<JoinedOrder>(sql`
    select ${TRANSACTIONS.columns}, o.customer_uuid, o.reference_number as order_reference, o.invoice_number
      from (${rowsOfPageOnly}) t
      join orders o on o.business_id = ${tx.businessId} and o.id = t.order_id
     order by t.created_at desc, t.id desc`)
  const listed = rows.map((row) => ({
    transaction: TRANSACTIONS.read(row),
    customerUuid: row.customer_uuid,
    orderReference: row.order_reference,
    invoiceNumber: row.invoice_number,
  }))
  const orderIds = new Set(listed.map(({ transaction }) => transaction.orderId))
  const related = orderIds.size === 0 ? [] : await transactionsOf(tx, byIds([...orderIds]))
  const byOrder = Map.groupBy(related, ({ orderId }) => orderId)
  return listed.map((one) => ({
    ...one,
    transactions: byOrder.get(one.transaction.orderId) ?? [],
    at: tx.now,
  }))
}

/**
 * A state in terms of indexed columns. Nearly all transactions succeeded; those that are initiated are few, and each has an
 * operation.
 */
function narrowState(state: string): Sql | undefined {
  if (state === 'succeeded') return undefined
  if (state !== 'initiated') return sql`t.notable_state = ${state}`
  return sql`t.id = any (array(
    select a.transaction_id from acquirer_operations a
     where a.business_id = current_setting('quittance.business_id', true)))`
}

import sql from 'sql-template-tag'
import { Money } from '#kernel/money'
import type { TimeZone } from '#kernel/time-zone'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import type { PaymentMethodName } from '../model/transaction.ts'

/**
 * Money that moved for an order and has not been undone.
 * - `amount`: Of a refund negative.
 * - `date`: The value date.
 */
export interface OrderMoney {
  readonly orderId: string
  readonly transactionId: string
  readonly type: 'Sales' | 'Capture' | 'Refund'
  readonly paymentMethod: PaymentMethodName
  readonly amount: Money
  readonly date: string
}

interface Row {
  order_id: string
  id: string
  type: OrderMoney['type']
  payment_method: PaymentMethodName
  currency: string
  amount_minor: bigint
  date: string
}

/** Returns what was paid and refunded of these orders, oldest first. */
export async function findMoneyOfOrders(
  tx: Tx,
  orderIds: readonly string[],
  zone: TimeZone,
): Promise<OrderMoney[]> {
  if (orderIds.length === 0) return []
  const rows = await tx.query<Row>(sql`
    select order_id, id, type, payment_method, currency, amount_minor,
           coalesce(value_date, (succeeded_at at time zone ${zone})::date) as date
      from transactions
     where business_id = ${tx.businessId} and ${isOneOf(sql`order_id`, orderIds)}
       and state = 'succeeded' and type <> 'Authorization'
     order by date, created_at, id`)
  return rows.map((row) => ({
    orderId: row.order_id,
    transactionId: row.id,
    type: row.type,
    paymentMethod: row.payment_method,
    amount: Money.ofMinor(row.currency, row.amount_minor),
    date: row.date,
  }))
}

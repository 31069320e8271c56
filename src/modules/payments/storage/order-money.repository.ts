import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import { startOfLocalDay, type TimeZone } from '#kernel/time-zone'
import type { Tx } from '#platform/postgres/database'
import { givenIds, isOneOf } from '#platform/postgres/rows'
import type { PaymentMethodName } from '../model/transaction.ts'

/**
 * Money that moved for an order and has not been undone.
 * - `id`: Of the transaction, or of what a dispute moved.
 * - `transactionId`: Of a dispute its payment.
 * - `type`: A return is a transfer that the bank took back; it has the id of its payment, which stays.
 * - `isReturned`: Of a payment that the bank took back later.
 * - `amount`: Of a refund, of a return and of what a dispute took negative.
 * - `fee`: What of the amount the bank kept; it counts as paid.
 * - `date`: The value date.
 */
export interface OrderMoney {
  readonly id: string
  readonly orderId: string
  readonly transactionId: string
  readonly type: 'Sales' | 'Capture' | 'Refund' | 'Return' | 'Dispute'
  readonly isReturned: boolean
  readonly paymentMethod: PaymentMethodName
  readonly amount: Money
  readonly fee: Money
  readonly date: string
}

interface MoneyRow {
  order_id: string
  id: string
  type: OrderMoney['type']
  returned_on: string | null
  payment_method: PaymentMethodName
  currency: string
  amount_minor: bigint
  fee: string | null
  date: string
}

/** Returns what was paid, refunded and returned of these orders, oldest first. */
export async function findMoneyOfOrders(
  tx: Tx,
  orderIds: readonly string[],
  zone: TimeZone,
): Promise<OrderMoney[]> {
  if (orderIds.length === 0) return []
  const rows = await tx.query<MoneyRow>(sql`
    select order_id, id, type, returned_on, payment_method, currency, amount_minor, answer ->> 'fee' as fee,
           coalesce(value_date, (succeeded_at at time zone ${zone})::date) as date
      from transactions
     where business_id = ${tx.businessId} and ${isOneOf(sql`order_id`, orderIds)}
       and (state = 'succeeded' or returned_on is not null) and type <> 'Authorization'
     order by date, created_at, id`)
  const money = rows.map(toMoney)
  const returns = rows.flatMap((row) => (row.returned_on === null ? [] : [returnOf(row, row.returned_on)]))
  return returns.length === 0
    ? money
    : [...money, ...returns].toSorted((a, b) => (a.date < b.date ? -1 : Number(a.date > b.date)))
}

/**
 * Returns what was paid, refunded and returned on a day, oldest first, and then what disputes took and gave back, of orders that have an
 * invoice. Most transactions have no date of their own: they succeeded on the local day on which they were made.
 */
export async function findMoneyOfDay(tx: Tx, date: string, zone: TimeZone): Promise<OrderMoney[]> {
  const day = Temporal.PlainDate.from(date)
  const start = toRfc3339(startOfLocalDay(day, zone))
  const end = toRfc3339(startOfLocalDay(day.add({ days: 1 }), zone))
  const rows = await tx.query<MoneyRow & { is_return: boolean }>(sql`
    select t.order_id, t.id, t.type, t.returned_on, t.payment_method, t.currency, t.amount_minor, t.answer ->> 'fee' as fee,
           ${date}::date as date, t.is_return
      from (select *, false as is_return from transactions where business_id = ${tx.businessId} and value_date = ${date}::date
            union all
            select *, false from transactions
             where business_id = ${tx.businessId} and value_date is null
               and created_at >= ${start}::timestamptz and created_at < ${end}::timestamptz
            union all
            select *, true from transactions where business_id = ${tx.businessId} and returned_on = ${date}::date) t
      join orders o on o.business_id = ${tx.businessId} and o.id = t.order_id
     where (t.state = 'succeeded' or t.returned_on is not null) and t.type <> 'Authorization' and o.invoice_id is not null
     order by t.created_at, t.id, t.is_return`)
  const disputed = await findDisputedMoneyOfDay(tx, date)
  return [...rows.map((row) => (row.is_return ? returnOf(row, date) : toMoney(row))), ...disputed]
}

async function findDisputedMoneyOfDay(tx: Tx, date: string): Promise<OrderMoney[]> {
  const rows = await tx.query<MoneyRow & { transaction_id: string }>(sql`
    select m.order_id, m.id, m.transaction_id, 'Dispute' as type, null as returned_on, t.payment_method, m.currency, m.amount_minor,
           null as fee, m.date
      from disputed_money m
      join transactions t on t.business_id = ${tx.businessId} and t.id = m.transaction_id
      join orders o on o.business_id = ${tx.businessId} and o.id = m.order_id
     where m.business_id = ${tx.businessId} and m.date = ${date}::date and o.invoice_id is not null
     order by m.created_at, m.id`)
  return rows.map((row) => ({ ...toMoney(row), transactionId: row.transaction_id }))
}

function returnOf(row: MoneyRow, date: string): OrderMoney {
  const { amount, fee, ...payment } = toMoney(row)
  return { ...payment, type: 'Return', amount: amount.negated(), fee: fee.negated(), date, isReturned: false }
}

function toMoney(row: MoneyRow): OrderMoney {
  return {
    id: row.id,
    orderId: row.order_id,
    transactionId: row.id,
    type: row.type,
    isReturned: row.returned_on !== null,
    paymentMethod: row.payment_method,
    amount: Money.ofMinor(row.currency, row.amount_minor),
    fee: Money.ofMinor(row.currency, BigInt(row.fee ?? 0)),
    date: row.date,
  }
}

/**
 * - `overpaid`: Negative where more than that was given back by hand of an order that has an invoice.
 * - `at`: When the order last changed.
 */
export interface OverpaidOrder {
  readonly id: string
  readonly overpaid: Money
  readonly at: Instant
}

interface Recent {
  readonly since: string
  readonly orderIds: readonly string[]
}

/** `overpaidTotal` of model/order.ts, less what disputes lost. */
const OVERPAID = sql`(o.paid_total_minor - coalesce(o.moved_to_credit_minor, 0) - o.initial_total_minor
  - coalesce(o.credit_returned_minor, 0) + o.credited_minor
  + coalesce(o.written_off_minor, 0) + coalesce(o.noted_refunds_minor, 0) - coalesce(t.lost, 0))`

/**
 * Finds over-paid orders among those that are named and those for which money came on a day that somebody named: transfers and
 * payments by hand. Payments at an acquirer are never more than is due, and those that come after a void are reversed. The oldest come first.
 */
export async function findOverpaidOrders(
  tx: Tx,
  { since, orderIds }: Recent,
  limit: number,
): Promise<OverpaidOrder[]> {
  const rows = await tx.query<{
    id: string
    currency: string
    overpaid_minor: bigint
    updated_at: Instant
  }>(sql`
    select o.id, o.currency, ${OVERPAID}::numeric(30,0) as overpaid_minor,
           o.updated_at
      from (select order_id from transactions
             where business_id = ${tx.businessId} and value_date >= ${since}::date
            union
            select id from ${givenIds(orderIds)}) recent (id)
      join orders o on o.business_id = ${tx.businessId} and o.id = recent.id
     cross join lateral (select sum(lost_minor) filter (where state in ('succeeded', 'authorized')) as lost,
                                bool_or(void_pending or type = 'Refund' and state in ('initiated', 'pending', 'unknown')) as is_reversed
                           from transactions where business_id = ${tx.businessId} and order_id = o.id) t
     where (o.state <> 'voided' or not coalesce(t.is_reversed, false)) and ${OVERPAID} > 0
        or o.state in ('completed', 'refunded') and ${OVERPAID} < 0 and o.invoice_id is not null
     order by o.updated_at, o.id limit ${limit}`)
  return rows.map((row) => ({
    id: row.id,
    overpaid: Money.ofMinor(row.currency, row.overpaid_minor),
    at: row.updated_at,
  }))
}

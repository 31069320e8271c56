import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import { Money } from '#kernel/money'
import { amountKey } from '#platform/filter/minor-units'
import type { Tx } from '#platform/postgres/database'
import { givenIds, isOneOf } from '#platform/postgres/rows'

/** The bound of reference/billing-transfers#suggestions. */
const NEWEST_OF_AMOUNT = 200

/** Open orders among the newest of each total. */
export async function findOpenOrdersOfTotals(tx: Tx, totals: readonly Money[]): Promise<string[]> {
  const keys = new Set(totals.flatMap((total) => amountKey(total.toString())?.toString() ?? []))
  const rows = await tx.query<{ id: string }>(sql`
    select newest.id
      from ${givenIds([...keys])}
     cross join lateral (
           select o.id, o.state from orders o
            where o.business_id = ${tx.businessId} and o.amount_key = given.id::bigint
            order by o.created_at desc, o.id desc limit ${NEWEST_OF_AMOUNT}) newest
     where newest.state = 'open'`)
  return rows.map(({ id }) => id)
}

export async function takenReferences(tx: Tx, references: readonly string[]): Promise<Set<string>> {
  const rows = await tx.query<{ reference_number: string }>(sql`
    select reference_number from orders
     where business_id = ${tx.businessId} and ${isOneOf(sql`reference_number`, references)}`)
  return new Set(rows.map((row) => row.reference_number))
}

export interface OrderOfPlan {
  readonly id: string
  readonly reference: string
  readonly createdAt: Instant
}

export async function findOrdersOfPlan(
  tx: Tx,
  planId: string,
  references: readonly string[],
): Promise<OrderOfPlan[]> {
  const rows = await tx.query<{ id: string; reference_number: string; created_at: Instant }>(sql`
    select id, reference_number, created_at from orders
     where business_id = ${tx.businessId} and ${isOneOf(sql`reference_number`, references)} and plan_id = ${planId}`)
  return rows.map(({ id, reference_number: reference, created_at: createdAt }) => ({
    id,
    reference,
    createdAt,
  }))
}

/** The newest orders that a customer had by then, newest first. */
export async function findOrderIdsOfCustomer(
  tx: Tx,
  customerUuid: string,
  { until, limit }: { readonly until: Instant | undefined; readonly limit: number },
): Promise<string[]> {
  const at = until === undefined ? 'infinity' : toRfc3339(until)
  const rows = await tx.query<{ id: string }>(sql`
    select id from orders
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid} and created_at <= ${at}::timestamptz
     order by created_at desc, id desc limit ${limit}`)
  return rows.map(({ id }) => id)
}

/** What a customer has paid, less what went back. */
export interface Spend {
  readonly orders: number
  readonly paid: Money
}

export async function findSpend(tx: Tx, customerUuid: string): Promise<Spend[]> {
  const rows = await tx.query<{ currency: Currency; orders: number; paid: bigint }>(sql`
    select currency, count(*)::integer as orders, sum(paid_total_minor) as paid from orders
     where business_id = ${tx.businessId} and customer_uuid = ${customerUuid} and paid_total_minor <> 0
     group by currency order by paid desc, currency`)
  return rows.map(({ currency, orders, paid }) => ({ orders, paid: Money.ofMinor(currency, paid) }))
}

export async function findOrdersWithoutRate(
  tx: Tx,
  since: Instant,
  limit: number,
): Promise<{ readonly id: string; readonly created_at: Instant }[]> {
  return tx.query(sql`
    select o.id, o.created_at from orders o
     where o.business_id = ${tx.businessId} and (o.tax ->> 'no_rate') is not null and o.created_at > ${toRfc3339(since)}
     order by o.created_at limit ${limit}`)
}

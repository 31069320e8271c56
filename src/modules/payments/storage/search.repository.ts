import sql, { type Sql } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { lookUps, type Search, withoutRepeats } from '#platform/search/search'

export interface FoundOrder {
  id: string
  reference_number: string
  customer_uuid: string | null
  currency: Currency
  initial_total_minor: bigint
  amount_key: bigint | null
  state: string
  created_at: Instant
}

export async function findOrdersByText(tx: Tx, search: Search): Promise<FoundOrder[]> {
  const { amountKey } = search
  const rows = await tx.query<FoundOrder>(
    lookUps(tx.businessId, search, {
      name: sql`orders`,
      columns: sql`id, reference_number, customer_uuid, currency, initial_total_minor, amount_key, state, created_at`,
      prefixes: [sql`id`, sql`reference_number`],
      values: [amountKey === undefined ? undefined : sql`amount_key = ${amountKey.toString()}::bigint`],
      newest: sql`created_at desc, id desc`,
    }),
  )
  return withoutRepeats(rows, ({ id }) => id)
}

export interface OrderName {
  readonly id: string
  readonly reference: string
  readonly customerUuid: string | null
}

export async function findOrderNames(
  tx: Tx,
  ids: readonly string[],
): Promise<ReadonlyMap<string, OrderName>> {
  const rows = await tx.query<OrderName>(sql`
    select id, reference_number as reference, customer_uuid as "customerUuid" from orders
     where business_id = ${tx.businessId} and ${isOneOf(sql`id`, ids)}`)
  return new Map(rows.map((row) => [row.id, row]))
}

export interface FoundTransaction {
  id: string
  order_id: string
  type: string
  reference_id: string | null
  last_4: string | null
  currency: Currency
  amount_minor: bigint
  amount_key: bigint | null
  state: string
  created_at: Instant
}

export async function findTransactionsByText(tx: Tx, search: Search): Promise<FoundTransaction[]> {
  const { amountKey, lastFour } = search
  const rows = await tx.query<FoundTransaction>(
    lookUps(tx.businessId, search, {
      name: sql`transactions`,
      columns: sql`id, order_id, type, reference_id, last_4, currency, amount_minor, amount_key, state, created_at`,
      prefixes: [sql`id`, sql`reference_id`],
      values: [
        amountKey === undefined ? undefined : sql`amount_key = ${amountKey.toString()}::bigint`,
        lastFour === undefined ? undefined : sql`last_4 = ${lastFour} and ${isAmongNewest(tx.businessId)}`,
      ],
      newest: sql`created_at desc, id desc`,
    }),
  )
  return withoutRepeats(rows, ({ id }) => id)
}

/** An index of last digits would be written by every payment. */
const NEWEST = 10_000

function isAmongNewest(businessId: string): Sql {
  return sql`created_at >= (
    select coalesce((select created_at from transactions where business_id = ${businessId}
                      order by created_at desc offset ${NEWEST - 1} limit 1), '-infinity'))`
}

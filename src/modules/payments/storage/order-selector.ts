import sql, { empty, type Sql } from 'sql-template-tag'
import { isOneOf } from '#platform/postgres/rows'

export type OrderSelector = Sql

export function byIds(ids: readonly string[]): OrderSelector {
  return isOneOf(sql`o.id`, ids)
}

export function byIdentifiers(order: {
  number?: string | undefined
  reference_number?: string | undefined
}): OrderSelector {
  const { number, reference_number: reference } = order
  if (number === undefined) return sql`o.reference_number = ${reference ?? ''}`
  if (reference === undefined) return sql`o.id = ${number}`
  return sql`o.id = ${number} and o.reference_number = ${reference}`
}

/** Selects the orders that these names mean: by number, or else by reference number. */
export function byAnyIdentifier(
  orders: readonly { readonly number?: string; readonly reference_number?: string }[],
): OrderSelector {
  const [first] = orders
  if (orders.length === 1 && first !== undefined) return byIdentifiers(first)
  const numbers = orders.flatMap(({ number }) => number ?? [])
  const references = orders.flatMap(({ number, reference_number: reference }) =>
    number === undefined ? (reference ?? []) : [],
  )
  if (numbers.length === 0) return isOneOf(sql`o.reference_number`, references)
  if (references.length === 0) return byIds(numbers)
  return sql`(${byIds(numbers)} or ${isOneOf(sql`o.reference_number`, references)})`
}

export function byTransaction(
  businessId: string,
  transaction: { uuid?: string | undefined; reference_id?: string | undefined },
): OrderSelector {
  const { uuid, reference_id: reference } = transaction
  const byUuid = uuid === undefined ? empty : sql`and id = ${uuid}`
  const byReference = reference === undefined ? empty : sql`and reference_id = ${reference}`
  return sql`o.id = (select order_id from transactions where business_id = ${businessId} ${byUuid} ${byReference})`
}

/** Selects the orders of all transactions that these names mean. */
export function byTransactions(
  businessId: string,
  transactions: readonly { readonly uuid?: string; readonly reference_id?: string }[],
): OrderSelector {
  const [first] = transactions
  if (transactions.length === 1 && first !== undefined) return byTransaction(businessId, first)
  const ids = transactions.flatMap(({ uuid }) => uuid ?? [])
  const references = transactions.flatMap(({ uuid, reference_id: reference }) =>
    uuid === undefined ? (reference ?? []) : [],
  )
  return sql`o.id = any(array(select order_id from transactions
      where business_id = ${businessId} and (${isOneOf(sql`id`, ids)} or ${isOneOf(sql`reference_id`, references)})))`
}

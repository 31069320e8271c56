import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Settlement } from '#modules/invoices'
import type { Tx } from '#platform/postgres/database'
import { isOneOf } from '#platform/postgres/rows'
import { amount, table } from '#platform/postgres/table'
import type { WriteOff } from '../model/write-off.ts'

const WRITE_OFFS = table<WriteOff>('w', {
  id: 'text',
  orderId: 'text',
  invoiceId: 'text',
  customerUuid: 'text',
  amount: amount('amount_minor', 'currency'),
  reason: 'text',
  transactionId: 'text',
})
const SUMS = WRITE_OFFS.without('reason')
const SETTLEMENTS = WRITE_OFFS.only('orderId', 'id', 'amount', 'transactionId')

export async function insertWriteOffs(tx: Tx, writeOffs: readonly WriteOff[]): Promise<void> {
  if (writeOffs.length === 0) return
  await tx.execute(sql`
    insert into write_offs ${WRITE_OFFS.values(tx.businessId, writeOffs, { created_at: toRfc3339(tx.now) })}`)
}

/**
 * Finds what is still written off of orders, oldest first: one sum for each payment at which it was, and one for the rest.
 */
export async function findStandingWriteOffs(
  tx: Tx,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly WriteOff[]>> {
  const rows = await tx.query(sql`
    select order_id, transaction_id, currency, sum(amount_minor) as amount_minor, max(id) as id, max(invoice_id) as invoice_id,
           max(customer_uuid) as customer_uuid
      from write_offs
     where business_id = ${tx.businessId} and ${isOneOf(sql`order_id`, orderIds)} and undone_at is null
     group by order_id, transaction_id, currency
     order by min(created_at), min(id)`)
  return Map.groupBy(
    rows.map((row): WriteOff => ({ ...SUMS.read(row), reason: '' })),
    ({ orderId }) => orderId,
  )
}

/** Finds what was written off of orders and what was reversed of it, also at matches that were undone. */
export async function findWriteOffs(tx: Tx, orderIds: readonly string[]): Promise<Settlement[]> {
  if (orderIds.length === 0) return []
  const rows = await tx.query<{ created_at: Instant }>(sql`
    select order_id, id, currency, amount_minor, created_at, transaction_id from write_offs
     where business_id = ${tx.businessId} and ${isOneOf(sql`order_id`, orderIds)}
     order by created_at, id`)
  return rows.map((row) => ({ ...SETTLEMENTS.read(row), kind: 'write_off', at: row.created_at }))
}

/** Finds the orders of which something was written off or reversed in a time, its end excluded. */
export async function findOrdersWrittenOff(tx: Tx, from: Instant, to: Instant): Promise<string[]> {
  const rows = await tx.query<{ order_id: string }>(sql`
    select distinct order_id from write_offs
     where business_id = ${tx.businessId} and created_at >= ${toRfc3339(from)} and created_at < ${toRfc3339(to)}`)
  return rows.map(({ order_id: orderId }) => orderId)
}

/** Undoes what was written off at the matches of transfers. Returns the amounts by transaction, less what was reversed before. */
export async function undoWriteOffs(
  tx: Tx,
  transactionIds: readonly string[],
): Promise<ReadonlyMap<string, Money>> {
  if (transactionIds.length === 0) return new Map()
  const rows = await tx.query<{ transaction_id: string; currency: string; amount_minor: bigint }>(sql`
    update write_offs set undone_at = ${toRfc3339(tx.now)}
     where business_id = ${tx.businessId} and ${isOneOf(sql`transaction_id`, transactionIds)} and undone_at is null
    returning transaction_id, currency, amount_minor`)
  const undone = new Map<string, Money>()
  for (const { transaction_id: id, currency, amount_minor: minor } of rows) {
    const part = Money.ofMinor(currency, minor)
    undone.set(id, undone.get(id)?.plus(part) ?? part)
  }
  return undone
}

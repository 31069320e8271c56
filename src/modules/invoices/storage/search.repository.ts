import sql from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { lookUps, matchOf, type Search, type SearchHit, withoutRepeats } from '#platform/search/search'

interface FoundInvoice {
  id: string
  number: string
  order_id: string
  customer_uuid: string
  currency: string
  total_minor: bigint
  state: string
  created_at: Instant
}

export async function searchInvoices(tx: Tx, search: Search): Promise<SearchHit[]> {
  const rows = await tx.query<FoundInvoice>(
    lookUps(tx.businessId, search, {
      name: sql`invoices`,
      columns: sql`id, number, order_id, customer_uuid, currency, total_minor, state, created_at`,
      prefixes: [sql`id`, sql`number`],
      newest: sql`created_at desc, id desc`,
    }),
  )
  return withoutRepeats(rows, ({ id }) => id).map((row) => ({
    type: 'invoice',
    id: row.id,
    parentId: row.order_id,
    title: row.number,
    subtitle: row.customer_uuid,
    customerUuid: row.customer_uuid,
    amount: Money.ofMinor(row.currency, row.total_minor),
    state: row.state,
    createdAt: row.created_at,
    match: matchOf(search, [row.id, row.number]),
  }))
}

import sql from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { lookUps, matchOf, type Search, type SearchHit, withoutRepeats } from '#platform/search/search'

interface FoundDispute {
  id: string
  reference: string
  reason: string
  order_id: string | null
  amount_minor: bigint
  currency: Currency
  state: string
  created_at: Instant
}

export async function searchDisputes(tx: Tx, search: Search): Promise<SearchHit[]> {
  const rows = await tx.query<FoundDispute>(
    lookUps(tx.businessId, search, {
      name: sql`disputes`,
      columns: sql`id, reference, reason, order_id, amount_minor, currency, state, created_at`,
      prefixes: [sql`id`, sql`reference`],
      newest: sql`created_at desc, id desc`,
    }),
  )
  return withoutRepeats(rows, ({ id }) => id).map((dispute) => ({
    type: 'dispute',
    id: dispute.id,
    parentId: dispute.order_id,
    title: dispute.reference,
    subtitle: dispute.reason,
    amount: Money.ofMinor(dispute.currency, dispute.amount_minor),
    state: dispute.state,
    createdAt: dispute.created_at,
    match: matchOf(search, [dispute.id, dispute.reference]),
  }))
}

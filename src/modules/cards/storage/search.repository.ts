import sql from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { lookUps, matchOf, type Search, type SearchHit, withoutRepeats } from '#platform/search'

interface FoundCard {
  id: string
  reference_id: string
  title: string
  p_user_id: string | null
  last_4: string
  status: string
  created_at: Instant
}

/** Cards by id, reference id, user and last digits. */
export async function searchCards(tx: Tx, search: Search): Promise<SearchHit[]> {
  const { lastFour } = search
  const rows = await tx.query<FoundCard>(
    lookUps(tx.businessId, search, {
      name: sql`cards`,
      columns: sql`id, reference_id, title, p_user_id, last_4, status, created_at`,
      prefixes: [sql`id`, sql`reference_id`, sql`p_user_id`],
      values: [lastFour === undefined ? undefined : sql`last_4 = ${lastFour}`],
      newest: sql`created_at desc, id desc`,
    }),
  )
  return withoutRepeats(rows, ({ id }) => id).map((card) => ({
    type: 'card',
    id: card.id,
    parentId: null,
    title: `${card.title} •••• ${card.last_4}`.trim(),
    subtitle: card.p_user_id,
    amount: null,
    state: card.status,
    createdAt: card.created_at,
    match: matchOf(search, [card.id, card.reference_id, card.p_user_id, card.last_4]),
  }))
}

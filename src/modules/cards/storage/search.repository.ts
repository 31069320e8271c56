import sql from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { findObjects } from '#platform/search/find-objects'
import type { Search, SearchHit } from '#platform/search/search'
import { nameIndex } from '#platform/search/term-index'

export const CARD_TITLES = nameIndex(
  {
    objects: sql`cards`,
    terms: sql`card_terms`,
    object: sql`card_id`,
    wordKeys: sql`card_word_keys`,
  },
  sql`o.title`,
)

interface FoundCard {
  id: string
  reference_id: string
  title: string
  p_user_id: string | null
  last_4: string
  status: string
  created_at: Instant
}

export async function searchCards(tx: Tx, search: Search): Promise<SearchHit[]> {
  const { lastFour } = search
  const cards = await findObjects<FoundCard>(tx, search, CARD_TITLES, {
    columns: sql`id, reference_id, title, p_user_id, last_4, status, created_at`,
    prefixes: [sql`id`, sql`reference_id`, sql`p_user_id`],
    values: [lastFour === undefined ? undefined : sql`last_4 = ${lastFour}`],
    newest: sql`created_at desc, id desc`,
    idOf: ({ id }) => id,
    identifiersOf: (card) => [card.id, card.reference_id, card.p_user_id, card.last_4, card.title],
  })
  return cards.map(({ row, match }) => ({
    type: 'card',
    id: row.id,
    parentId: null,
    title: `${row.title} •••• ${row.last_4}`.trim(),
    subtitle: row.p_user_id,
    amount: null,
    state: row.status,
    createdAt: row.created_at,
    match,
  }))
}

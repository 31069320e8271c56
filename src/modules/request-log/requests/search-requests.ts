import type { Tx } from '#platform/postgres/database'
import { matchOf, type Search, type SearchHit, withoutRepeats } from '#platform/search/search'
import { findBeginning } from '../storage/entry.repository.ts'

export async function searchRequests(tx: Tx, search: Search): Promise<SearchHit[]> {
  const entries = await findBeginning(tx, search.text, search.limit)
  const found = withoutRepeats(entries, ({ requestId }) => requestId).slice(0, search.limit)
  return found.map((entry) => ({
    type: 'request',
    id: entry.requestId,
    parentId: null,
    title: `${entry.method} ${entry.path}`,
    subtitle: entry.reason,
    amount: null,
    state: String(entry.status),
    createdAt: entry.createdAt,
    match: matchOf(search, [entry.requestId]),
  }))
}

import type { Caller } from '#platform/caller'
import { holdsScope } from '#platform/http/authorization'
import type { Match, SearchHit } from '#platform/search/search'
import type { SearchDependencies } from './dependencies.ts'
import { type NamedHit, nameHits } from './name-hits.ts'
import { readQuery } from './read-query.ts'

const RANKS: Readonly<Record<Match, number>> = { exact: 0, prefix: 1, similar: 2 }

export async function find(
  deps: SearchDependencies,
  caller: Caller,
  query: string,
  limit: number,
): Promise<NamedHit[]> {
  const { businessId, scopes } = caller
  const search = readQuery(query, limit)
  if (search.text === '') return []
  const sources = deps.sources.filter(({ scope }) => scopes === undefined || holdsScope(scopes, scope))
  return deps.db.transact(
    businessId,
    async (tx) => {
      const hits = await Promise.all(sources.map((source) => source.search(tx, search)))
      return nameHits(deps, tx, caller, best(hits, limit))
    },
    { isSnapshot: true },
  )
}

function best(hits: readonly (readonly SearchHit[])[], limit: number): SearchHit[] {
  const turns = new Map<string, number>()
  return hits
    .flat()
    .map((hit) => {
      const kind = `${hit.match} ${hit.type}`
      const turn = turns.get(kind) ?? 0
      turns.set(kind, turn + 1)
      return { hit, turn }
    })
    .toSorted((a, b) => RANKS[a.hit.match] - RANKS[b.hit.match] || a.turn - b.turn)
    .slice(0, limit)
    .map(({ hit }) => hit)
}

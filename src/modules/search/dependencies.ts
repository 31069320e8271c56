import type { Scope } from '#platform/http/routes/route'
import type { Database, Tx } from '#platform/postgres/database'
import type { Search, SearchHit } from '#platform/search/search'

interface SearchSource {
  readonly scope: Scope
  readonly search: (tx: Tx, search: Search) => Promise<SearchHit[]>
}

export interface SearchDependencies {
  readonly db: Database
  readonly sources: readonly SearchSource[]
}

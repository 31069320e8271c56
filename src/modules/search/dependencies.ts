import type { Scope } from '#platform/http/routes/route'
import type { Database, Tx } from '#platform/postgres/database'
import type { Search, SearchHit } from '#platform/search'

/** `scope`: What a caller must be allowed to read to find these objects. */
export interface SearchSource {
  readonly scope: Scope
  readonly search: (tx: Tx, search: Search) => Promise<SearchHit[]>
}

export interface SearchDependencies {
  readonly db: Database
  readonly sources: readonly SearchSource[]
}

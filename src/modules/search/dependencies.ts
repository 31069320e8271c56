import type { SearchSource } from '#platform/module'
import type { Database } from '#platform/postgres/database'

export interface SearchDependencies {
  readonly db: Database
  readonly sources: readonly SearchSource[]
}

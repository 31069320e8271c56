export interface ListSearch {
  /** A filter of AIP-160. An empty one shows all rows of a list with a filter of its own. */
  readonly filter?: string
}

export function readListSearch(search: Record<string, unknown>): ListSearch {
  return typeof search['filter'] === 'string' ? { filter: search['filter'] } : {}
}

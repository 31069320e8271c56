export interface ListSearch {
  /** A filter of AIP-160. */
  readonly filter?: string
}

export function readListSearch(search: Record<string, unknown>): ListSearch {
  return typeof search['filter'] === 'string' && search['filter'] !== '' ? { filter: search['filter'] } : {}
}

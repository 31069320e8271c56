import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useApi } from '#app/shell-context.ts'
import type { SearchResult } from '#pages/search/result-link.ts'

/** How long a pause in typing starts a search. */
const PAUSE_MS = 200

const NOTHING: readonly SearchResult[] = []

/** `isCurrent`: whether the results belong to this text, and not to a shorter one from a moment ago. */
export function useResults(text: string, limit: number) {
  const api = useApi()
  const [query] = useDebouncedValue(text.trim(), PAUSE_MS)
  const isSearching = query !== '' && api.can('search:read')
  const result = useQuery({
    queryKey: api.key('search', query, limit),
    enabled: isSearching,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.quittance.search(query, { limit }, { signal }),
  })
  const isCurrent = query === text.trim() && (!isSearching || !(result.isPending || result.isPlaceholderData))
  return {
    ...result,
    isCurrent,
    results: isSearching && text.trim() !== '' ? (result.data ?? NOTHING) : NOTHING,
  }
}

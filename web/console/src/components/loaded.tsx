import { useQuery, type UseQueryOptions, type UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Api } from '#app/api.ts'
import { useApi } from '#app/shell-context.ts'
import { ErrorState } from '#components/error-state.tsx'
import { Placeholder } from '#components/parts.tsx'

type Options<Data> = Omit<UseQueryOptions<Data>, 'queryKey' | 'queryFn'>

/** Reads something of this business and environment. `parts` name it. */
export function useApiQuery<Data>(
  parts: readonly unknown[],
  read: (api: Api, signal: AbortSignal) => Promise<Data>,
  options: Options<Data> = {},
): UseQueryResult<Data> {
  const api = useApi()
  return useQuery({ ...options, queryKey: api.key(...parts), queryFn: ({ signal }) => read(api, signal) })
}

interface LoadedProps<Data> {
  readonly query: UseQueryResult<Data>
  readonly children: (data: Data) => ReactNode
}

/** Shows what was read, even when a later reading failed. */
export function Loaded<Data>({ query, children }: LoadedProps<Data>) {
  const { data, error, isPending, refetch } = query
  if (data !== undefined) return children(data)
  if (isPending) return <Placeholder />
  return <ErrorState error={error} retry={refetch} />
}

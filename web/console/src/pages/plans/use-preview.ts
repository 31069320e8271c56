import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import type { Api } from '#app/api.ts'
import { useApiQuery } from '#components/loaded.tsx'

const TYPING_MS = 400

/**
 * What the service returns for `wanted`, requested once nobody types any more. The previous response stays until the
 * next arrives.
 */
export function usePreview<Wanted, Data>(
  parts: readonly unknown[],
  wanted: Wanted | null,
  read: (api: Api, wanted: Wanted, signal: AbortSignal) => Promise<Data>,
) {
  const text = JSON.stringify(wanted)
  const [settled] = useDebouncedValue(text, TYPING_MS)
  const isSettled = settled === text
  const { data, error, isPlaceholderData, isFetching } = useApiQuery(
    [...parts, text],
    (api, signal) => read(api, JSON.parse(text) as Wanted, signal),
    { enabled: wanted !== null && isSettled, placeholderData: keepPreviousData },
  )
  return {
    data: wanted === null ? undefined : data,
    error: wanted === null ? null : error,
    isFresh: wanted !== null && data !== undefined && !isPlaceholderData,
    isLoading: wanted !== null && (!isSettled || isFetching),
  }
}

import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ErrorState } from '#components/error-state.tsx'
import { Placeholder } from '#components/parts.tsx'
import { Timeline } from '#components/timeline.tsx'

interface ObjectTimelineProps {
  readonly of: 'orders' | 'plans' | 'customers'
  readonly id: string
}

/** Everything that happened to an order, a plan or a customer, and what will happen next. */
export function ObjectTimeline({ of, id }: ObjectTimelineProps) {
  const { t } = useTranslation('components')
  const api = useApi()
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: api.key(of, id, 'timeline'),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => {
      const query = pageParam === undefined ? {} : { cursor: pageParam }
      return api.quittance[of].timeline(id, query, { signal })
    },
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
  })
  if (error !== null && data === undefined) return <ErrorState error={error} retry={refetch} />
  if (data === undefined) return <Placeholder />
  return (
    <>
      <Timeline
        past={data.pages.flatMap(({ past }) => past)}
        next={data.pages[0]?.next ?? []}
        isGrouped={of !== 'orders'}
      />
      {hasNextPage && (
        <Button
          mt="sm"
          size="xs"
          variant="default"
          loading={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('timeline.more')}
        </Button>
      )}
    </>
  )
}

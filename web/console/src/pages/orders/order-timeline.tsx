import { Button } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { PAYMENTS } from '#app/api.ts'
import { useApi } from '#app/shell-context.ts'
import { Section } from '#components/section.tsx'
import { type NextEntry, type PastEntry, Timeline } from '#components/timeline.tsx'

interface TimelineData {
  readonly timeline: {
    readonly past: PastEntry[]
    readonly next: NextEntry[]
    readonly next_cursor: string | null
  }
}

export function OrderTimeline({ number }: { readonly number: string }) {
  const { t } = useTranslation(['orders', 'components'])
  const api = useApi()
  const { data, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: api.key('orders', 'timeline', number),
    queryFn: ({ pageParam, signal }) =>
      api.call<TimelineData>('GET', `${PAYMENTS}/orders/${encodeURIComponent(number)}/timeline`, {
        signal,
        query: { cursor: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ timeline }) => timeline.next_cursor ?? undefined,
  })
  if (data === undefined) return null
  return (
    <Section title={t('timeline')}>
      <Timeline
        past={data.pages.flatMap(({ timeline }) => timeline.past)}
        next={data.pages[0]?.timeline.next ?? []}
      />
      {hasNextPage && (
        <Button variant="subtle" size="xs" onClick={() => void fetchNextPage()}>
          {t('components:list.more')}
        </Button>
      )}
    </Section>
  )
}

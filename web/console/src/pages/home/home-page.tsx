import { Group, NativeSelect, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { EmptyState } from '#components/empty-state.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { beforeValue } from '#components/joined.ts'
import { TextLink } from '#components/links.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { PageSkeleton } from '#components/page-skeleton.tsx'
import { RangePicker } from '#components/range/range-picker.tsx'
import { rangeOf, type RangeSearch } from '#components/range/range.ts'
import { Time } from '#components/time.tsx'
import { AttentionList } from '#pages/home/attention-list.tsx'
import { Declines } from '#pages/home/declines.tsx'
import { HomeCharts } from '#pages/home/home-charts.tsx'
import type { Overview } from '#pages/home/report-types.ts'
import { Today } from '#pages/home/today.tsx'
import { TotalsFigures } from '#pages/reports/totals-figures.tsx'

const route = getRouteApi('/shell/')
const Checklist = lazy(() =>
  import('#pages/home/checklist.tsx').then((module) => ({ default: module.Checklist })),
)

/** Somebody who is paid on as many days of the last 30 has set up what is needed. */
const PAID_DAYS = 7

function isFirstRun({ period, from }: RangeSearch, overview: Overview | undefined): boolean {
  return (
    period === undefined && from === undefined && overview !== undefined && paidDaysOf(overview) < PAID_DAYS
  )
}

function paidDaysOf({ days }: Overview): number {
  return days.filter(({ paid_total: paid }) => Number(paid) > 0).length
}

export function HomePage() {
  const { t } = useTranslation('home')
  const api = useApi()
  const search = route.useSearch()
  const range = rangeOf(search, 'last_30_days')
  const navigate = route.useNavigate()
  const chosen = search.currency !== undefined && { currency: search.currency }
  const maySee = api.can('reports:read')
  const {
    data: overview,
    error,
    refetch,
  } = useQuery({
    queryKey: api.key('reports', 'overview', range, search.currency ?? null),
    enabled: maySee,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.quittance.reports.overview({ ...range, ...chosen }, { signal }),
  })
  const { data: totals } = useQuery({
    queryKey: api.key('reports', 'totals', range),
    enabled: maySee,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.quittance.reports.totals(range, { signal }),
  })
  const currencies = new Set([...(overview?.currencies ?? []), ...(overview ? [overview.currency] : [])])
  if (!maySee) {
    return (
      <>
        <PageHeader title={t('title')} />
        <EmptyState title={t('no_reports')} text={t('no_reports_text')} />
      </>
    )
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        actions={
          overview !== undefined && (
            <Group gap="xs">
              {currencies.size > 1 && (
                <NativeSelect
                  size="xs"
                  aria-label={t('currency')}
                  data={[...currencies]}
                  value={overview.currency}
                  onChange={({ currentTarget: { value } }) =>
                    void navigate({ search: { ...range, currency: value } })
                  }
                />
              )}
              <RangePicker
                range={range}
                dates={totals}
                onChange={(changed) => void navigate({ search: { ...changed, ...chosen } })}
              />
            </Group>
          )
        }
      />
      <Stack gap="md">
        {error !== null && <ErrorState error={error} retry={refetch} />}
        {overview === undefined && error === null && <PageSkeleton />}
        {overview !== undefined && <Today overview={overview} />}
        {api.can('admin:write') && isFirstRun(search, overview) && (
          <Suspense fallback={null}>
            <Checklist />
          </Suspense>
        )}
        <AttentionList />
        {overview !== undefined && (
          <>
            {totals !== undefined && (
              <TotalsFigures
                totals={totals}
                currency={overview.currency}
                actions={
                  <TextLink to="/reports" search={{ ...range, currency: overview.currency }} size="sm">
                    {t('reports')}
                  </TextLink>
                }
              />
            )}
            <HomeCharts overview={overview} />
            <Declines overview={overview} />
            <Text size="xs" c="dimmed">
              {beforeValue(t('exact'))}
              {overview.recurring.counted_at !== null && (
                <>
                  {beforeValue(t('plans_counted'))}
                  <Time at={overview.recurring.counted_at} withSeconds />
                </>
              )}
            </Text>
          </>
        )}
      </Stack>
    </>
  )
}

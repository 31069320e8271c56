import { Group, NativeSelect, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { EmptyState } from '#components/empty-state.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { TextLink } from '#components/links.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { PageSkeleton } from '#components/page-skeleton.tsx'
import { RangePicker } from '#components/range/range-picker.tsx'
import { rangeOf } from '#components/range/range.ts'
import { Time } from '#components/time.tsx'
import { AttentionList } from '#pages/home/attention-list.tsx'
import { Declines } from '#pages/home/declines.tsx'
import { HomeCharts } from '#pages/home/home-charts.tsx'
import { Today } from '#pages/home/today.tsx'
import { TotalsFigures } from '#pages/reports/totals-figures.tsx'

const route = getRouteApi('/shell/')

export function HomePage() {
  const { t } = useTranslation('home')
  const api = useApi()
  const range = rangeOf(route.useSearch(), 'last_30_days')
  const navigate = route.useNavigate()
  const [currency, setCurrency] = useState<string | null>(null)
  const maySee = api.can('reports:read')
  const {
    data: overview,
    error,
    refetch,
  } = useQuery({
    queryKey: api.key('reports', 'overview', range, currency),
    enabled: maySee,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.quittance.reports.overview({ ...range, ...(currency !== null && { currency }) }, { signal }),
  })
  const { data: totals } = useQuery({
    queryKey: api.key('reports', 'totals', range),
    enabled: maySee,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => api.quittance.reports.totals(range, { signal }),
  })
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
              {overview.currencies.length > 1 && (
                <NativeSelect
                  size="xs"
                  aria-label={t('currency')}
                  data={[...overview.currencies]}
                  value={overview.currency}
                  onChange={(event) => setCurrency(event.currentTarget.value)}
                />
              )}
              <RangePicker
                range={range}
                dates={totals}
                onChange={(changed) => void navigate({ search: changed })}
              />
            </Group>
          )
        }
      />
      <Stack gap="md">
        {error !== null && <ErrorState error={error} retry={refetch} />}
        {overview === undefined && error === null && <PageSkeleton />}
        {overview !== undefined && <Today overview={overview} />}
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
              {t('exact')}
              {overview.recurring.counted_at !== null && (
                <>
                  {' '}
                  {t('plans_counted')} <Time at={overview.recurring.counted_at} withSeconds />
                </>
              )}
            </Text>
          </>
        )}
      </Stack>
    </>
  )
}

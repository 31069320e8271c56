import { Group, NativeSelect, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { EmptyState } from '#components/empty-state.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { PageSkeleton } from '#components/page-skeleton.tsx'
import { Time } from '#components/time.tsx'
import { AttentionList } from '#pages/home/attention-list.tsx'
import { Declines } from '#pages/home/declines.tsx'
import { HomeCharts } from '#pages/home/home-charts.tsx'
import { Today } from '#pages/home/today.tsx'

const PERIODS = [7, 30, 90] as const

export function HomePage() {
  const { t } = useTranslation('home')
  const api = useApi()
  const [days, setDays] = useState('30')
  const [currency, setCurrency] = useState<string | null>(null)
  const maySee = api.can('reports:read')
  const {
    data: overview,
    error,
    refetch,
  } = useQuery({
    queryKey: api.key('reports', 'overview', days, currency),
    enabled: maySee,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) =>
      api.quittance.reports.overview(
        { days: Number(days), ...(currency !== null && { currency }) },
        { signal },
      ),
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
              <NativeSelect
                size="xs"
                aria-label={t('period')}
                data={PERIODS.map((count) => ({ value: String(count), label: t('last_days', { count }) }))}
                value={days}
                onChange={(event) => setDays(event.currentTarget.value)}
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

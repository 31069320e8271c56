import { Button, SimpleGrid, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatAmount } from '#components/money.tsx'
import { Section } from '#components/section.tsx'
import { Chart, CHART_HEIGHT } from '#pages/home/chart.tsx'
import type { Overview } from '#pages/home/report-types.ts'
import { dayNames, groupDays } from '#pages/reports/group-days.ts'

interface Series {
  readonly name: string
  readonly color: string
  /** The figure as the API sent it. */
  readonly text: (day: Overview['days'][number]) => string | null
}

interface ChartDefinition {
  readonly name: 'volume' | 'success' | 'recurring' | 'dunning'
  readonly kind: 'bar' | 'line' | 'area'
  readonly isRate?: true
  readonly series: readonly Series[]
}

const VOLUME: ChartDefinition = {
  name: 'volume',
  kind: 'bar',
  series: [
    { name: 'paid', color: 'var(--mantine-color-indigo-6)', text: (day) => day.paid_total },
    { name: 'refunded', color: 'var(--mantine-color-orange-6)', text: (day) => day.refunded_total },
  ],
}

const CHARTS: readonly ChartDefinition[] = [
  VOLUME,
  {
    name: 'success',
    kind: 'line',
    isRate: true,
    series: [
      {
        name: 'success_rate',
        color: 'var(--mantine-color-teal-6)',
        text: ({ success_rate }) => (success_rate === null ? null : String(success_rate)),
      },
    ],
  },
  {
    name: 'recurring',
    kind: 'area',
    series: [
      {
        name: 'recurring_paid',
        color: 'var(--mantine-color-violet-6)',
        text: (day) => day.recurring_paid_total,
      },
    ],
  },
  {
    name: 'dunning',
    kind: 'bar',
    series: [
      { name: 'attempted', color: 'var(--mantine-color-gray-5)', text: (day) => day.dunning_attempted_total },
      { name: 'recovered', color: 'var(--mantine-color-teal-6)', text: (day) => day.dunning_recovered_total },
    ],
  },
]

export function VolumeChart({ overview }: { readonly overview: Overview }) {
  return <ChartSection chart={VOLUME} overview={overview} />
}

export function HomeCharts({ overview }: { readonly overview: Overview }) {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }}>
      {CHARTS.map((chart) => (
        <ChartSection key={chart.name} chart={chart} overview={overview} />
      ))}
    </SimpleGrid>
  )
}

interface ChartSectionProps {
  readonly chart: ChartDefinition
  readonly overview: Overview
}

/** A chart, and the same figures as a table for whoever does not see it. */
function ChartSection({ chart, overview }: ChartSectionProps) {
  const { t, i18n } = useTranslation('home')
  const [isTable, setTable] = useState(false)
  const { currency } = overview
  const grouped = groupDays(overview.days, currency)
  const { days } = grouped
  const format = (text: string | null): string => {
    if (text === null) return '—'
    if (chart.isRate !== true) return `${formatAmount(text, currency, i18n.language)} ${currency}`
    return new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 }).format(
      Number(text),
    )
  }
  const compact = new Intl.NumberFormat(i18n.language, { notation: 'compact' })
  const isEmpty = days.every((day) => chart.series.every(({ text }) => Number(text(day) ?? 0) === 0))
  const names = dayNames(grouped, i18n.language)
  const series = chart.series.map(({ name, color, text }) => {
    const texts = days.map(text)
    return {
      name: t(`series.${name}`),
      color,
      texts: texts.map(format),
      // Only the drawing uses floating-point numbers.
      values: texts.map((value) => (value === null ? null : Number(value))),
    }
  })
  return (
    <Section
      title={t(`chart.${chart.name}`)}
      actions={
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => setTable(!isTable)}
          aria-pressed={isTable}
          aria-label={`${t('as_table')}: ${t(`chart.${chart.name}`)}`}
        >
          {t('as_table')}
        </Button>
      }
    >
      {isTable ? (
        <Table.ScrollContainer minWidth={240} mah={CHART_HEIGHT} scrollAreaProps={{ mah: CHART_HEIGHT }}>
          <Table stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t(grouped.unit)}</Table.Th>
                {series.map(({ name }) => (
                  <Table.Th key={name} ta="right">
                    {name}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {days.map(({ date }, index) => (
                <Table.Tr key={date}>
                  <Table.Td>{names[index]}</Table.Td>
                  {series.map(({ name, texts }) => (
                    <Table.Td key={name} ta="right">
                      {texts[index]}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : isEmpty ? (
        <Text size="sm" c="dimmed" h={CHART_HEIGHT}>
          {t('no_figures')}
        </Text>
      ) : (
        <Chart
          kind={chart.kind}
          label={t('chart_label', { chart: t(`chart.${chart.name}`) })}
          days={names}
          series={series}
          tickText={(value) => (chart.isRate === true ? format(String(value)) : compact.format(value))}
          {...(chart.isRate === true && { max: 1 })}
        />
      )}
    </Section>
  )
}

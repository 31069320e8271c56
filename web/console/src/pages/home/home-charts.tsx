import '@mantine/charts/styles.css'
import { AreaChart, BarChart, LineChart } from '@mantine/charts'
import { Button, Paper, SimpleGrid, Table, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatAmount } from '#components/money.tsx'
import { Section } from '#components/section.tsx'
import type { Overview } from '#pages/home/report-types.ts'

const HEIGHT = 210

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

const CHARTS: readonly ChartDefinition[] = [
  {
    name: 'volume',
    kind: 'bar',
    series: [
      { name: 'paid', color: 'indigo.6', text: (day) => day.paid_total },
      { name: 'refunded', color: 'orange.6', text: (day) => day.refunded_total },
    ],
  },
  {
    name: 'success',
    kind: 'line',
    isRate: true,
    series: [
      {
        name: 'success_rate',
        color: 'teal.6',
        text: ({ success_rate }) => (success_rate === null ? null : String(success_rate)),
      },
    ],
  },
  {
    name: 'recurring',
    kind: 'area',
    series: [{ name: 'recurring_paid', color: 'violet.6', text: (day) => day.recurring_paid_total }],
  },
  {
    name: 'dunning',
    kind: 'bar',
    series: [
      { name: 'attempted', color: 'gray.5', text: (day) => day.dunning_attempted_total },
      { name: 'recovered', color: 'teal.6', text: (day) => day.dunning_recovered_total },
    ],
  },
]

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
  const { days, currency } = overview
  const dayName = new Intl.DateTimeFormat(i18n.language, { month: 'short', day: 'numeric', timeZone: 'UTC' })
  const format = (text: string | null): string => {
    if (text === null) return '—'
    if (chart.isRate !== true) return `${formatAmount(text, currency, i18n.language)} ${currency}`
    return new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 1 }).format(
      Number(text),
    )
  }
  const compact = new Intl.NumberFormat(i18n.language, { notation: 'compact' })
  const isEmpty = days.every((day) => chart.series.every(({ text }) => Number(text(day) ?? 0) === 0))
  const rows = days.map((day) => ({
    date: dayName.format(new Date(day.date)),
    texts: chart.series.map(({ text }) => format(text(day))),
    ...Object.fromEntries(
      chart.series.map(({ name, text }) => {
        const value = text(day)
        // Only the drawing uses floating-point numbers.
        return [name, value === null ? null : Number(value)]
      }),
    ),
  }))
  const shared = {
    h: HEIGHT,
    data: rows,
    dataKey: 'date',
    series: chart.series.map(({ name, color }) => ({ name, color, label: t(`series.${name}`) })),
    withLegend: chart.series.length > 1,
    legendProps: { verticalAlign: 'bottom' as const },
    valueFormatter: (value: number) =>
      chart.isRate === true ? format(String(value)) : compact.format(value),
    xAxisProps: { minTickGap: 28 },
    tooltipAnimationDuration: 0,
    tooltipProps: {
      content: ({ payload, label }: TooltipProps) =>
        dayTooltip(
          payload,
          label,
          chart.series.map(({ name }) => t(`series.${name}`)),
        ),
    },
  }
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
        <Table.ScrollContainer minWidth={240} mah={HEIGHT} scrollAreaProps={{ mah: HEIGHT }}>
          <Table stickyHeader>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('day')}</Table.Th>
                {chart.series.map(({ name }) => (
                  <Table.Th key={name} ta="right">
                    {t(`series.${name}`)}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map(({ date, texts }) => (
                <Table.Tr key={date}>
                  <Table.Td>{date}</Table.Td>
                  {texts.map((text, index) => (
                    <Table.Td key={chart.series[index]?.name} ta="right">
                      {text}
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      ) : isEmpty ? (
        <Text size="sm" c="dimmed" h={HEIGHT}>
          {t('no_figures')}
        </Text>
      ) : (
        <div role="img" aria-label={t('chart_label', { chart: t(`chart.${chart.name}`) })}>
          {chart.kind === 'bar' && <BarChart {...shared} />}
          {chart.kind === 'line' && (
            <LineChart {...shared} curveType="linear" yAxisProps={{ domain: [0, 1] }} connectNulls />
          )}
          {chart.kind === 'area' && <AreaChart {...shared} curveType="linear" withDots={false} />}
        </div>
      )}
    </Section>
  )
}

interface TooltipProps {
  readonly payload?: readonly unknown[]
  readonly label?: string | number
}

/** The exact figures of a day, as the API sent them. */
function dayTooltip(
  payload: TooltipProps['payload'] = [],
  label: TooltipProps['label'],
  names: readonly string[],
) {
  const [first] = payload as readonly { payload: { texts: readonly string[] } }[]
  if (first === undefined) return null
  return (
    <Paper withBorder shadow="sm" p="xs" fz="sm">
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      {names.map((name, index) => (
        <div key={name}>
          {name}: {first.payload.texts[index]}
        </div>
      ))}
    </Paper>
  )
}

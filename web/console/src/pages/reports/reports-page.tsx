import { Group, NativeSelect, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { fromMinorUnits, type Schemas, toMinorUnits } from 'quittance'
import { useTranslation } from 'react-i18next'
import { PAYMENTS } from '#app/api.ts'
import { useApi } from '#app/shell-context.ts'
import { ColumnTable, type TableColumn } from '#components/column-table.tsx'
import { DownloadButton } from '#components/download.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { beforeValue } from '#components/joined.ts'
import { ButtonLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Money } from '#components/money.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RangePicker } from '#components/range/range-picker.tsx'
import { type Range, rangeOf } from '#components/range/range.ts'
import { Section } from '#components/section.tsx'
import { Time } from '#components/time.tsx'
import { VolumeChart } from '#pages/home/home-charts.tsx'
import { type Day, dayNames, groupDays } from '#pages/reports/group-days.ts'
import { INVOICE_REPORTS } from '#pages/reports/invoice-report-search.ts'
import { TotalsFigures } from '#pages/reports/totals-figures.tsx'

const REPORTS = '/svc/report/api/v1/openapi'
const route = getRouteApi('/shell/reports')

export function ReportsPage() {
  const { t } = useTranslation('reports')
  const api = useApi()
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const range = rangeOf(search, 'this_month')
  const maySee = api.can('reports:read')
  const query = useApiQuery(
    ['reports', 'totals', range],
    ({ quittance }, signal) => quittance.reports.totals(range, { signal }),
    { enabled: maySee, placeholderData: keepPreviousData },
  )
  const totals = query.data
  const currency = search.currency ?? totals?.main_currency
  const currencies = new Set(totals?.currencies.map((one) => one.currency)).add(currency ?? '')
  const choose = (changed: Range | { readonly currency: string }) =>
    void navigate({
      search: {
        ...('currency' in changed ? range : changed),
        ...(search.currency !== undefined && { currency: search.currency }),
        ...('currency' in changed && changed),
      },
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
          <>
            {currency !== undefined && currencies.size > 1 && (
              <NativeSelect
                size="xs"
                aria-label={t('currency')}
                data={[...currencies]}
                value={currency}
                onChange={(event) => choose({ currency: event.currentTarget.value })}
              />
            )}
            <RangePicker range={range} dates={totals} onChange={choose} />
          </>
        }
      />
      <Loaded query={query}>
        {(found) => (
          <Stack gap="md">
            <Group gap="xs">
              {INVOICE_REPORTS.map((report) => (
                <ButtonLink
                  key={report}
                  size="xs"
                  variant="default"
                  to="/reports/invoices"
                  search={{ report }}
                >
                  {t(`invoices.${report}`)}
                </ButtonLink>
              ))}
            </Group>
            <TotalsFigures totals={found} currency={currency ?? ''} />
            {found.currencies.length > 1 && <ByCurrency totals={found} />}
            <Days range={range} currency={currency ?? ''} />
            <Counted totals={found} />
            <Downloads totals={found} />
          </Stack>
        )}
      </Loaded>
    </>
  )
}

/** Days that were shown change when a bank statement comes later, so the page says as of when they are. */
function Counted({ totals: { counted_at: at } }: { readonly totals: Schemas['Totals'] }) {
  const { t } = useTranslation('reports')
  if (at === null) return null
  return (
    <Text size="sm" c="dimmed">
      {beforeValue(t('counted'))}
      <Time at={at} withSeconds />
    </Text>
  )
}

type Row = Schemas['Totals']['currencies'][number]
type Figure = 'paid' | 'refunded' | 'net' | 'net_before' | 'disputed' | 'fees'

function ByCurrency({ totals: { currencies } }: { readonly totals: Schemas['Totals'] }) {
  const { t, i18n } = useTranslation('reports')
  const number = new Intl.NumberFormat(i18n.language)
  return (
    <Section title={t('by_currency')}>
      <ColumnTable
        label={t('by_currency')}
        minWidth={640}
        columns={[
          { name: t('currency'), cell: ({ currency: one }) => one },
          ...(
            [
              ['paid', (one) => one.paid_total],
              ['refunded', (one) => one.refunded_total],
              ['net', (one) => one.net_total],
              ['net_before', (one) => one.before.net_total],
              ['disputed', (one) => one.disputed_total],
              ['fees', (one) => one.fee_total],
            ] as readonly (readonly [Figure, (one: Row) => string | null])[]
          ).map(([name, amountOf]): TableColumn<Row> => ({
            name: t(`figure.${name}`),
            cell: (one) => <Money amount={amountOf(one) ?? undefined} currency={one.currency} />,
            align: 'right',
            ...(name === 'net' && { isMain: true }),
          })),
          {
            name: t('figure.orders_paid'),
            cell: (one) => number.format(one.orders_paid),
            align: 'right',
          },
        ]}
        rows={currencies}
        keyOf={({ currency: one }) => one}
      />
    </Section>
  )
}

function Days({ range, currency }: { readonly range: Range; readonly currency: string }) {
  const { t, i18n } = useTranslation('reports')
  const query = useApiQuery(
    ['reports', 'overview', range, currency],
    ({ quittance }, signal) => quittance.reports.overview({ ...range, currency }, { signal }),
    { placeholderData: keepPreviousData },
  )
  const number = new Intl.NumberFormat(i18n.language)
  return (
    <Loaded query={query}>
      {(overview) => {
        const grouped = groupDays(overview.days, overview.currency)
        const names = dayNames(grouped, i18n.language)
        const rows = grouped.days.map((day, index) => ({ day, name: names[index] })).filter(hasFigures)
        return (
          <>
            <VolumeChart overview={overview} />
            <Section title={t(`by_${grouped.unit}`)}>
              {rows.length === 0 ? (
                <Text size="sm" c="dimmed">
                  {t('nothing')}
                </Text>
              ) : (
                <ColumnTable
                  label={t(`by_${grouped.unit}`)}
                  minWidth={560}
                  columns={[
                    { name: t(grouped.unit), cell: ({ name }) => name, noWrap: true },
                    ...(
                      [
                        ['paid', ({ paid_total: paid }) => paid],
                        ['refunded', ({ refunded_total: refunded }) => refunded],
                        ['net', (day) => netOf(day, overview.currency)],
                      ] as readonly (readonly [Figure, (day: Day) => string])[]
                    ).map(([figure, amountOf]): TableColumn<(typeof rows)[number]> => ({
                      name: t(`figure.${figure}`),
                      cell: ({ day }) => <Money amount={amountOf(day)} currency={overview.currency} />,
                      align: 'right',
                      ...(figure === 'net' && { isMain: true }),
                    })),
                    ...(['orders_paid', 'payments_declined'] as const).map(
                      (figure): TableColumn<(typeof rows)[number]> => ({
                        name: t(`figure.${figure}`),
                        cell: ({ day }) => number.format(day[figure]),
                        align: 'right',
                      }),
                    ),
                  ]}
                  rows={rows.toReversed()}
                  keyOf={({ day }) => day.date}
                />
              )}
            </Section>
          </>
        )
      }}
    </Loaded>
  )
}

function hasFigures({ day }: { readonly day: Day }): boolean {
  const amounts = [day.paid_total, day.refunded_total]
  return amounts.some((amount) => Number(amount) !== 0) || day.payments_approved + day.payments_declined > 0
}

function netOf(day: Day, currency: string): string {
  return fromMinorUnits(
    toMinorUnits(day.paid_total, currency) - toMinorUnits(day.refunded_total, currency),
    currency,
  )
}

function Downloads({ totals: { from, to } }: { readonly totals: Schemas['Totals'] }) {
  const { t, i18n } = useTranslation('reports')
  const api = useApi()
  const address = (path: string) => api.downloadAddress(path, { from, to, language: i18n.language })
  const name = (what: string) => `${what}-${from}-to-${to}.csv`
  return (
    <Section title={t('downloads.title')}>
      <Text size="sm" mb="sm">
        {t('downloads.text')}
      </Text>
      <Group gap="xs">
        <DownloadButton
          size="xs"
          address={address(`${REPORTS}/totals/spreadsheet.csv`)}
          fileName={name('totals')}
        >
          {t('downloads.totals')}
        </DownloadButton>
        {api.can('payments:read') &&
          (['transactions', 'orders'] as const).map((what) => (
            <DownloadButton
              key={what}
              size="xs"
              address={address(`${PAYMENTS}/${what}/spreadsheet.csv`)}
              fileName={name(what)}
            >
              {t(`downloads.${what}`)}
            </DownloadButton>
          ))}
      </Group>
    </Section>
  )
}

import { Group, SegmentedControl, Stack, Text, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from 'quittance'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { BILLING } from '#app/api.ts'
import { useApi } from '#app/shell-context.ts'
import { DownloadButton } from '#components/download.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RangePicker } from '#components/range/range-picker.tsx'
import { datesOf, type Range, rangeOf } from '#components/range/range.ts'
import { useToday } from '#components/range/use-today.ts'
import { Section } from '#components/section.tsx'
import { Time } from '#components/time.tsx'
import { isZeroAmount } from '#pages/invoices/amounts.ts'
import { INVOICE_REPORTS, type InvoiceReport } from '#pages/reports/invoice-report-search.ts'
import { amountColumn, ReportTable } from '#pages/reports/report-table.tsx'

const PATH = '/svc/report/api/v1/openapi/invoices'
const EXPORTS = [
  { name: 'datev', query: { format: 'datev' } },
  { name: 'xero', query: { format: 'xero' } },
  { name: 'xero_bank', query: { format: 'xero', records: 'bank' } },
  { name: 'quickbooks', query: { format: 'quickbooks' } },
  { name: 'quickbooks_bank', query: { format: 'quickbooks', records: 'bank' } },
] as const
const MAX_ITEMS = 100
const AGES = ['not_due', '1_30', '31_60', '61_90', 'over_90'] as const
/** What lowers an open item: a column that no row needs is left out. */
const SETTLED = ['prepaid', 'paid', 'credited', 'written_off'] as const
const route = getRouteApi('/shell/reports/invoices')

/** Taxes, buyers and open items. Each figure leads to its rows. */
export function InvoiceReportsPage() {
  const { t } = useTranslation('reports')
  const api = useApi()
  const navigate = route.useNavigate()
  const search = route.useSearch()
  const range = rangeOf(search, 'last_month')
  const today = useToday()
  const dates = range.period === undefined ? range : datesOf(range.period, today)
  const report = search.report ?? 'taxes'
  const choose = (chosen: InvoiceReport, days: Range) =>
    void navigate({ search: { report: chosen, ...days } })
  if (!api.can('reports:read')) {
    return (
      <>
        <PageHeader title={t('invoices.title')} />
        <EmptyState title={t('no_reports')} text={t('no_reports_text')} />
      </>
    )
  }
  return (
    <>
      <PageHeader
        title={t('invoices.title')}
        actions={
          report === 'open' ? (
            <TextInput
              size="xs"
              type="date"
              label={t('invoices.at')}
              value={search.at ?? today}
              max={today}
              onChange={({ currentTarget: { value: at } }) =>
                void navigate({ search: { ...search, ...(at !== '' && { at }) }, replace: true })
              }
            />
          ) : (
            <RangePicker range={range} dates={dates} onChange={(changed) => choose(report, changed)} />
          )
        }
      />
      <Stack gap="md">
        <SegmentedControl
          aria-label={t('invoices.title')}
          value={report}
          data={INVOICE_REPORTS.map((value) => ({ value, label: t(`invoices.${value}`) }))}
          onChange={(value) => choose(value, range)}
        />
        {report === 'taxes' && <Taxes range={range} />}
        {report === 'buyers' && <Buyers range={range} />}
        {report === 'open' && <OpenItems day={search.at === undefined ? {} : { at: search.at }} />}
        {api.can('billing:read') && report !== 'open' && <Files range={range} />}
      </Stack>
    </>
  )
}

function useColumnName() {
  const { t } = useTranslation('reports')
  return (
    name:
      | 'country'
      | 'treatment'
      | 'tax'
      | 'percentage'
      | 'category'
      | 'net'
      | 'tax_amount'
      | 'documents'
      | 'buyer'
      | 'tax_id'
      | 'number'
      | 'due_date'
      | 'days_overdue'
      | 'total'
      | 'prepaid'
      | 'paid'
      | 'credited'
      | 'written_off'
      | 'due',
  ) => t(`invoices.column.${name}`)
}

function Csv({ report, query }: { readonly report: InvoiceReport; readonly query: Range | object }) {
  const { t } = useTranslation('reports')
  const api = useApi()
  return (
    <DownloadButton
      size="xs"
      address={api.downloadAddress(`${PATH}/${report}`, { ...query, format: 'csv' })}
      fileName={`${report}.csv`}
    >
      {t('invoices.csv')}
    </DownloadButton>
  )
}

function Taxes({ range }: { readonly range: Range }) {
  const { t } = useTranslation('reports')
  const column = useColumnName()
  const query = useApiQuery(['reports', 'taxes', range], ({ quittance }, signal) =>
    quittance.reports.taxes(range, { signal }),
  )
  const toRows = (amount: ReactNode, row: Schemas['TaxSum']) => (
    <TextLink
      to="/reports/invoice-rows"
      search={{
        report: 'taxes',
        ...range,
        legal_entity_id: row.legal_entity_id,
        currency: row.currency,
        country: row.country,
        region: row.region ?? '',
        treatment: row.treatment,
        name: row.name,
        percentage: row.percentage,
        category: row.category ?? '',
      }}
    >
      {amount}
    </TextLink>
  )
  return (
    <Section title={t('invoices.taxes')} actions={<Csv report="taxes" query={range} />}>
      <Loaded query={query}>
        {(rows) => (
          <ReportTable<(typeof rows)[number]>
            label={t('invoices.taxes')}
            minWidth={720}
            columns={[
              {
                name: column('country'),
                cell: ({ region, country }) => (region === null ? country : `${country}-${region}`),
              },
              { name: column('treatment'), cell: (row) => t(`invoices.treatment.${row.treatment}`) },
              {
                name: column('tax'),
                cell: ({ name, treatment }) => (treatment === 'taxed' ? name : null),
              },
              { name: column('percentage'), cell: ({ percentage }) => `${percentage} %`, noWrap: true },
              { name: column('category'), cell: ({ category }) => category },
              amountColumn({ name: column('net'), amountOf: ({ net }) => net, isSummed: true, show: toRows }),
              amountColumn({
                name: column('tax_amount'),
                amountOf: ({ tax }) => tax,
                isSummed: true,
                isMain: true,
                show: toRows,
              }),
              { name: column('documents'), cell: ({ documents }) => documents, align: 'right' },
            ]}
            rows={rows}
            keyOf={JSON.stringify}
          />
        )}
      </Loaded>
    </Section>
  )
}

function Buyers({ range }: { readonly range: Range }) {
  const { t } = useTranslation('reports')
  const column = useColumnName()
  const query = useApiQuery(['reports', 'buyers', range], ({ quittance }, signal) =>
    quittance.reports.buyers(range, { signal }),
  )
  const toRows = (amount: ReactNode, row: Schemas['BuyerSum']) => (
    <TextLink
      to="/reports/invoice-rows"
      search={{
        report: 'buyers',
        ...range,
        legal_entity_id: row.legal_entity_id,
        currency: row.currency,
        buyer_tax_id: row.buyer_tax_id ?? '',
        buyer_country: row.buyer_country ?? '',
        buyer_name: row.buyer_name,
        treatment: row.treatment,
      }}
    >
      {amount}
    </TextLink>
  )
  return (
    <Section title={t('invoices.buyers')} actions={<Csv report="buyers" query={range} />}>
      <Loaded query={query}>
        {(rows) => (
          <ReportTable<(typeof rows)[number]>
            label={t('invoices.buyers')}
            minWidth={640}
            columns={[
              { name: column('buyer'), cell: (row) => row.buyer_name },
              { name: column('tax_id'), cell: (row) => row.buyer_tax_id },
              { name: column('country'), cell: (row) => row.buyer_country },
              { name: column('treatment'), cell: (row) => t(`invoices.treatment.${row.treatment}`) },
              amountColumn({
                name: column('net'),
                amountOf: ({ net }) => net,
                isSummed: true,
                isMain: true,
                show: toRows,
              }),
              amountColumn({
                name: column('tax_amount'),
                amountOf: ({ tax }) => tax,
                isSummed: true,
                show: toRows,
              }),
            ]}
            rows={rows}
            keyOf={JSON.stringify}
          />
        )}
      </Loaded>
    </Section>
  )
}

/** - `day`: At its end; of now without `at`. */
function OpenItems({ day }: { readonly day: { readonly at?: string } }) {
  const { t } = useTranslation('reports')
  const column = useColumnName()
  const ages = useApiQuery(['reports', 'open_ages', day], ({ quittance }, signal) =>
    quittance.reports.openAges(day, { signal }),
  )
  const items = useApiQuery(['reports', 'open', day], async ({ quittance }, signal) => {
    const { data } = await quittance.reports.openItems({ ...day, limit: MAX_ITEMS }, { signal })
    return data
  })
  return (
    <>
      <Section title={t('invoices.by_age')}>
        <Loaded query={ages}>
          {(rows) => (
            <ReportTable<(typeof rows)[number]>
              label={t('invoices.by_age')}
              minWidth={640}
              columns={[
                { name: t('currency'), cell: ({ currency }) => currency },
                ...(['due', ...AGES] as const).map((age) =>
                  amountColumn<(typeof rows)[number]>({
                    name: t(`invoices.age.${age}`),
                    amountOf: (row) => row[age],
                    ...(age === 'due' ? { isMain: true } : { isRare: true }),
                  }),
                ),
              ]}
              rows={rows}
              keyOf={(row) => `${row.legal_entity_id} ${row.currency}`}
            />
          )}
        </Loaded>
      </Section>
      <Section title={t('invoices.open')} actions={<Csv report="open" query={day} />}>
        <Loaded query={items}>
          {(rows) => (
            <>
              <ReportTable<(typeof rows)[number]>
                label={t('invoices.open')}
                minWidth={860}
                columns={[
                  {
                    name: column('number'),
                    cell: (row) => (
                      <TextLink to="/invoices/$id" params={{ id: row.invoice_id }}>
                        {row.number}
                      </TextLink>
                    ),
                    noWrap: true,
                  },
                  { name: column('buyer'), cell: (row) => row.buyer_name },
                  { name: column('due_date'), cell: (row) => <Time at={row.due_date} />, noWrap: true },
                  { name: column('days_overdue'), cell: (row) => row.days_overdue, align: 'right' },
                  amountColumn({
                    name: column('total'),
                    amountOf: ({ total }) => total,
                    isSummed: rows.length < MAX_ITEMS,
                  }),
                  ...SETTLED.filter((name) => rows.some((row) => !isZeroAmount(row[name], row.currency))).map(
                    (name) =>
                      amountColumn<(typeof rows)[number]>({
                        name: column(name),
                        amountOf: (row) => row[name],
                        isRare: true,
                        isSummed: rows.length < MAX_ITEMS,
                      }),
                  ),
                  amountColumn({
                    name: column('due'),
                    amountOf: ({ due }) => due,
                    isMain: true,
                    isSummed: rows.length < MAX_ITEMS,
                  }),
                ]}
                rows={rows}
                keyOf={(row) => row.invoice_id}
                areNamed
              />
              {rows.length === MAX_ITEMS && (
                <Text size="xs" c="dimmed" mt="xs">
                  {t('invoices.first', { count: MAX_ITEMS })}
                </Text>
              )}
            </>
          )}
        </Loaded>
      </Section>
    </>
  )
}

/** Files of the range for bookkeepers and their programs. */
function Files({ range }: { readonly range: Range }) {
  const { t, i18n } = useTranslation('reports')
  const api = useApi()
  return (
    <Section title={t('downloads.title')}>
      <Group gap="xs">
        <DownloadButton
          size="xs"
          address={api.downloadAddress(`${BILLING}/invoices/spreadsheet.csv`, {
            ...range,
            language: i18n.language,
          })}
          fileName="invoices.csv"
        >
          {t('invoices.spreadsheet')}
        </DownloadButton>
        {EXPORTS.map(({ name, query }) => (
          <DownloadButton
            key={name}
            size="xs"
            address={api.downloadAddress(`${BILLING}/invoices/export`, { ...range, ...query })}
            fileName={`${name}.csv`}
          >
            {t(`invoices.export.${name}`)}
          </DownloadButton>
        ))}
      </Group>
    </Section>
  )
}

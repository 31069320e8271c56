import { Group, SegmentedControl, Stack, Table, Text, TextInput } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { BILLING } from '#app/api.ts'
import { useApi } from '#app/shell-context.ts'
import { DownloadButton } from '#components/download.tsx'
import { EmptyState } from '#components/empty-state.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Money } from '#components/money.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RangePicker } from '#components/range/range-picker.tsx'
import { datesOf, type Range, rangeOf } from '#components/range/range.ts'
import { useToday } from '#components/range/use-today.ts'
import { Section } from '#components/section.tsx'
import { INVOICE_REPORTS, type InvoiceReport } from '#pages/reports/invoice-report-search.ts'
import { ReportTable } from '#pages/reports/report-table.tsx'

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
  const query = useApiQuery(['reports', 'taxes', range], ({ quittance }, signal) =>
    quittance.reports.taxes(range, { signal }),
  )
  return (
    <Section title={t('invoices.taxes')} actions={<Csv report="taxes" query={range} />}>
      <Loaded query={query}>
        {(rows) => (
          <ReportTable
            label={t('invoices.taxes')}
            minWidth={720}
            columns={(['country', 'treatment', 'tax', 'percentage', 'category'] as const).map((name) =>
              t(`invoices.column.${name}`),
            )}
            amounts={(['net', 'tax_amount', 'documents'] as const).map((name) =>
              t(`invoices.column.${name}`),
            )}
            rows={rows}
            keyOf={JSON.stringify}
            sums={['net', 'tax']}
          >
            {(row) => {
              const search = {
                report: 'taxes' as const,
                ...range,
                legal_entity_id: row.legal_entity_id,
                currency: row.currency,
                country: row.country,
                region: row.region ?? '',
                treatment: row.treatment,
                name: row.name,
                percentage: row.percentage,
                category: row.category ?? '',
              }
              return (
                <>
                  <Table.Td>{row.region === null ? row.country : `${row.country}-${row.region}`}</Table.Td>
                  <Table.Td>{t(`invoices.treatment.${row.treatment}`)}</Table.Td>
                  <Table.Td>{row.name}</Table.Td>
                  <Table.Td>{`${row.percentage} %`}</Table.Td>
                  <Table.Td>{row.category ?? '—'}</Table.Td>
                  <Table.Td ta="right">
                    <TextLink to="/reports/invoice-rows" search={search}>
                      <Money amount={row.net} currency={row.currency} />
                    </TextLink>
                  </Table.Td>
                  <Table.Td ta="right">
                    <TextLink to="/reports/invoice-rows" search={search}>
                      <Money amount={row.tax} currency={row.currency} />
                    </TextLink>
                  </Table.Td>
                  <Table.Td ta="right">{row.documents}</Table.Td>
                </>
              )
            }}
          </ReportTable>
        )}
      </Loaded>
    </Section>
  )
}

function Buyers({ range }: { readonly range: Range }) {
  const { t } = useTranslation('reports')
  const query = useApiQuery(['reports', 'buyers', range], ({ quittance }, signal) =>
    quittance.reports.buyers(range, { signal }),
  )
  return (
    <Section title={t('invoices.buyers')} actions={<Csv report="buyers" query={range} />}>
      <Loaded query={query}>
        {(rows) => (
          <ReportTable
            label={t('invoices.buyers')}
            minWidth={640}
            columns={(['buyer', 'tax_id', 'country', 'treatment'] as const).map((name) =>
              t(`invoices.column.${name}`),
            )}
            amounts={(['net', 'tax_amount'] as const).map((name) => t(`invoices.column.${name}`))}
            rows={rows}
            keyOf={JSON.stringify}
            sums={['net', 'tax']}
          >
            {(row) => {
              const search = {
                report: 'buyers' as const,
                ...range,
                legal_entity_id: row.legal_entity_id,
                currency: row.currency,
                buyer_tax_id: row.buyer_tax_id ?? '',
                buyer_country: row.buyer_country ?? '',
                buyer_name: row.buyer_name,
                treatment: row.treatment,
              }
              return (
                <>
                  <Table.Td>{row.buyer_name}</Table.Td>
                  <Table.Td>{row.buyer_tax_id ?? '—'}</Table.Td>
                  <Table.Td>{row.buyer_country ?? '—'}</Table.Td>
                  <Table.Td>{t(`invoices.treatment.${row.treatment}`)}</Table.Td>
                  {[row.net, row.tax].map((amount, index) => (
                    <Table.Td key={index === 0 ? 'net' : 'tax'} ta="right">
                      <TextLink to="/reports/invoice-rows" search={search}>
                        <Money amount={amount} currency={row.currency} />
                      </TextLink>
                    </Table.Td>
                  ))}
                </>
              )
            }}
          </ReportTable>
        )}
      </Loaded>
    </Section>
  )
}

/** - `day`: At its end; of now without `at`. */
function OpenItems({ day }: { readonly day: { readonly at?: string } }) {
  const { t } = useTranslation('reports')
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
            <ReportTable
              label={t('invoices.by_age')}
              minWidth={640}
              columns={[t('currency')]}
              amounts={(['due', ...AGES] as const).map((name) => t(`invoices.age.${name}`))}
              rows={rows}
              keyOf={(row) => `${row.legal_entity_id} ${row.currency}`}
            >
              {(row) => (
                <>
                  <Table.Td>{row.currency}</Table.Td>
                  {(['due', ...AGES] as const).map((name) => (
                    <Table.Td key={name} ta="right">
                      <Money amount={row[name]} currency={row.currency} />
                    </Table.Td>
                  ))}
                </>
              )}
            </ReportTable>
          )}
        </Loaded>
      </Section>
      <Section title={t('invoices.open')} actions={<Csv report="open" query={day} />}>
        <Loaded query={items}>
          {(rows) => (
            <>
              <ReportTable
                label={t('invoices.open')}
                minWidth={800}
                columns={(['number', 'buyer', 'due_date', 'days_overdue'] as const).map((name) =>
                  t(`invoices.column.${name}`),
                )}
                amounts={(['total', 'paid', 'credited', 'written_off', 'due'] as const).map((name) =>
                  t(`invoices.column.${name}`),
                )}
                rows={rows}
                keyOf={(row) => row.invoice_id}
              >
                {(row) => (
                  <>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>
                      <TextLink to="/invoices/$id" params={{ id: row.invoice_id }}>
                        {row.number}
                      </TextLink>
                    </Table.Td>
                    <Table.Td>{row.buyer_name}</Table.Td>
                    <Table.Td style={{ whiteSpace: 'nowrap' }}>{row.due_date}</Table.Td>
                    <Table.Td>{row.days_overdue}</Table.Td>
                    {(['total', 'paid', 'credited', 'written_off', 'due'] as const).map((name) => (
                      <Table.Td key={name} ta="right">
                        <Money amount={row[name]} currency={row.currency} />
                      </Table.Td>
                    ))}
                  </>
                )}
              </ReportTable>
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

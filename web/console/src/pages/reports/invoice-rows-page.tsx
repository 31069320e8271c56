import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { datesOf, rangeOf, rangeText } from '#components/range/range.ts'
import { useToday } from '#components/range/use-today.ts'
import { Time } from '#components/time.tsx'
import { amountColumn, ReportTable } from '#pages/reports/report-table.tsx'

const route = getRouteApi('/shell/reports/invoice-rows')
const MAX_DOCUMENTS = 100

/** A sum of some of the documents would not be the figure that led here. */
function isWhole(rows: readonly { readonly document_id: string }[]): boolean {
  return new Set(rows.map(({ document_id: id }) => id)).size < MAX_DOCUMENTS
}

/** The lines of documents that a figure of taxes or buyers is made of. */
export function InvoiceRowsPage() {
  const { t, i18n } = useTranslation('reports')
  const today = useToday()
  const { report = 'taxes', period, from, to, treatment, ...only } = route.useSearch()
  const range = rangeOf({ period, from, to }, 'last_month')
  const query = useApiQuery(
    ['reports', report, 'rows', range, treatment, only],
    async ({ quittance }, signal) => {
      const asked = {
        ...range,
        ...(treatment !== undefined && { treatment: treatment as Schemas['TaxRow']['treatment'] }),
        limit: MAX_DOCUMENTS,
      }
      const { legal_entity_id: entity, currency } = only
      const scope = {
        ...asked,
        ...(entity !== undefined && { legal_entity_id: entity }),
        ...(currency !== undefined && { currency }),
      }
      if (report === 'buyers') {
        const { buyer_tax_id: taxId, buyer_country: country, buyer_name: name } = only
        const { data } = await quittance.reports.buyerRows(
          {
            ...scope,
            ...(taxId !== undefined && { buyer_tax_id: taxId }),
            ...(country !== undefined && { buyer_country: country }),
            ...(name !== undefined && { buyer_name: name }),
          },
          { signal },
        )
        return data
      }
      const { country, region, name, percentage, category } = only
      const { data } = await quittance.reports.taxRows(
        {
          ...scope,
          ...(country !== undefined && { country }),
          ...(region !== undefined && { region }),
          ...(name !== undefined && { name }),
          ...(percentage !== undefined && { percentage }),
          ...(category !== undefined && { category }),
        },
        { signal },
      )
      return data
    },
  )
  const figure = [
    rangeText(range.period === undefined ? range : datesOf(range.period, today), i18n.language),
    only.buyer_name ?? '',
    [only.country, only.region].filter((part) => part !== undefined && part !== '').join('-'),
    treatment === undefined ? '' : t(`invoices.treatment.${treatment as Schemas['TaxRow']['treatment']}`),
    treatment === 'taxed' && only.name !== undefined ? `${only.name} ${only.percentage} %` : '',
    only.category ?? '',
  ].filter((part) => part !== '')
  return (
    <>
      <PageHeader
        title={t('invoices.rows')}
        back={
          <TextLink to="/reports/invoices" search={{ report, ...range }}>
            {t('invoices.title')}
          </TextLink>
        }
      />
      <Text size="sm" c="dimmed" mb="md">
        {figure.join(' · ')}
      </Text>
      <Loaded query={query}>
        {(rows) => (
          <>
            <ReportTable<(typeof rows)[number]>
              label={t('invoices.rows')}
              minWidth={720}
              columns={[
                {
                  name: t('invoices.column.number'),
                  cell: (row) => (
                    <TextLink to="/invoices/$id" params={{ id: row.document_id }}>
                      {row.number}
                    </TextLink>
                  ),
                  noWrap: true,
                },
                {
                  name: t('invoices.column.issue_date'),
                  cell: (row) => <Time at={row.issue_date} />,
                  noWrap: true,
                },
                { name: t('invoices.column.buyer'), cell: (row) => row.buyer_name },
                { name: t('invoices.column.line'), cell: (row) => row.label },
                amountColumn({
                  name: t('invoices.column.net'),
                  amountOf: ({ net }) => net,
                  isMain: true,
                  isSummed: isWhole(rows),
                }),
                amountColumn({
                  name: t('invoices.column.tax_amount'),
                  amountOf: ({ tax }) => tax,
                  isSummed: isWhole(rows),
                }),
              ]}
              rows={rows}
              keyOf={(row) => `${row.document_id} ${row.line_id}`}
              areNamed
            />
            {!isWhole(rows) && (
              <Text size="xs" c="dimmed" mt="xs">
                {t('invoices.newest', { count: MAX_DOCUMENTS })}
              </Text>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'
import { PAYMENTS } from '#app/api.ts'
import { useApi } from '#app/shell-context.ts'
import { ColumnTable, type TableColumn } from '#components/column-table.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { DownloadButton } from '#components/download.tsx'
import { TextLink } from '#components/links.tsx'
import { List } from '#components/list/list-page.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Money } from '#components/money.tsx'
import { AcquirerAccountName } from '#components/object-name.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { Columns } from '#components/columns.tsx'
import { Fields, Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { formatDate, Time } from '#components/time.tsx'
import { entriesOf } from '#pages/reconciliations/entries.tsx'
import { Differences } from '#pages/reconciliations/reconciliation-list-page.tsx'

const route = getRouteApi('/shell/reconciliations/$id')

export function ReconciliationPage() {
  const { id } = route.useParams()
  const query = useApiQuery(['reconciliations', id], ({ quittance }, signal) =>
    quittance.reconciliations.get(id, { signal }),
  )
  return <Loaded query={query}>{(found) => <ReconciliationDetails reconciliation={found} />}</Loaded>
}

function ReconciliationDetails({ reconciliation }: { readonly reconciliation: Schemas['Reconciliation'] }) {
  const { t, i18n } = useTranslation('reconciliations')
  const { id, payout, date, totals } = reconciliation
  return (
    <>
      <PageHeader
        title={t(payout === null ? 'title_day' : 'title_payout', {
          date: formatDate(payout?.arrives_at.slice(0, 10) ?? date ?? '', i18n.language),
        })}
        badges={<Differences reconciliation={reconciliation} />}
        back={<TextLink to="/reconciliations">{t('title')}</TextLink>}
        actions={<ReportButton id={id} />}
      />
      <Columns
        main={
          <>
            <Section title={t('totals')}>
              <ColumnTable
                label={t('totals')}
                minWidth={480}
                columns={[
                  { name: t('total.type'), cell: ({ type }) => t(`type.${type}`) },
                  {
                    name: t('total.result'),
                    cell: ({ result }) => <StateBadge state={result} label={t(`result.${result}`)} />,
                  },
                  { name: t('total.count'), cell: ({ count }) => count, align: 'right' },
                  ...(['gross', 'fee', 'net'] as const).map((name): TableColumn<(typeof totals)[number]> => ({
                    name: t(`total.${name}`),
                    cell: (total) => <Money amount={total[name]} currency={total.currency} />,
                    align: 'right',
                    ...(name === 'net' && { isMain: true }),
                  })),
                ]}
                rows={totals}
                keyOf={(total) => `${total.type} ${total.result} ${total.currency}`}
              />
            </Section>
            <Section title={t('entries')}>
              <List list={entriesOf(id)} />
            </Section>
          </>
        }
        side={
          <Section title={t('details')}>
            <Fields
              fields={[
                [t('id'), <CopyableId key="id" id={id} />],
                [
                  t('column.acquirer_account_id'),
                  <AcquirerAccountName key="acc" id={reconciliation.acquirer_account_id} />,
                ],
                payout !== null && [
                  t('payout'),
                  <Money key="payout" amount={payout.amount} currency={payout.currency} />,
                ],
                payout !== null && [t('payout_state'), <StateBadge key="state" state={payout.state} />],
                payout !== null && [t('arrives_at'), <Time key="at" at={payout.arrives_at} />],
                [t('column.matched'), String(reconciliation.matched)],
                [t('result.missing_here'), String(reconciliation.missing_here)],
                [t('result.missing_there'), String(reconciliation.missing_there)],
                [t('result.different_amount'), String(reconciliation.different_amount)],
                [t('column.created_at'), <Time key="created" at={reconciliation.created_at} />],
              ]}
            />
          </Section>
        }
      />
    </>
  )
}

function ReportButton({ id }: { readonly id: string }) {
  const { t } = useTranslation('reconciliations')
  const { downloadAddress } = useApi()
  return (
    <DownloadButton
      size="sm"
      address={downloadAddress(`${PAYMENTS}/reconciliations/${id}/report.csv`)}
      fileName={`reconciliation-${id}.csv`}
    >
      {t('report')}
    </DownloadButton>
  )
}

import { Stack } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useTimeZone } from '#app/shell-context.ts'
import { CopyableId } from '#components/copyable-id.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Metadata } from '#components/metadata.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RelatedList } from '#components/related-list.tsx'
import { Fields, Section } from '#components/section.tsx'
import { formatTime, Time } from '#components/time.tsx'
import { entryList } from '#pages/bank-transfers/entry-list.tsx'
import { Format } from '#pages/bank-transfers/statement-list-page.tsx'
import { type BankStatement, knownOf } from '#pages/bank-transfers/statement.ts'

const route = getRouteApi('/shell/bank-statements/$id')

export function StatementPage() {
  const { id } = route.useParams()
  const query = useApiQuery(['bank-statements', id], ({ quittance }, signal) =>
    quittance.bankStatements.get(id, { signal }),
  )
  return <Loaded query={query}>{(statement) => <StatementDetails statement={statement} />}</Loaded>
}

function StatementDetails({ statement }: { readonly statement: BankStatement }) {
  const { t, i18n } = useTranslation('bank-statements')
  const { id, format, entries, matched, unmatched, reference_id, created_at } = statement
  const zone = useTimeZone()
  return (
    <>
      <PageHeader
        title={t('title_one', { time: formatTime(created_at, i18n.language, zone) })}
        back={<TextLink to="/bank-statements">{t('title')}</TextLink>}
      />
      <Stack gap="md">
        <Section title={t('new_entries')}>
          <RelatedList
            list={entryList}
            label={t('new_entries')}
            empty={t('no_entries')}
            filter={`bank_statement_id = ${id}`}
            columns={['booking_date', 'payer', 'amount', 'state', 'invoice', 'action']}
            limit={20}
          />
        </Section>
        <Section title={t('details')}>
          <Fields
            fields={[
              [t('column.format'), <Format key="format" format={format} />],
              [t('column.entries'), String(entries)],
              [t('column.new'), String(statement.new)],
              [t('column.matched'), String(matched)],
              [t('column.unmatched'), String(unmatched)],
              [t('column.known'), String(knownOf(statement))],
              reference_id !== null && [
                t('column.reference_id'),
                <CopyableId key="reference" id={reference_id} />,
              ],
              [t('column.created_at'), <Time key="at" at={created_at} />],
              [t('column.id'), <CopyableId key="id" id={id} />],
            ]}
          />
        </Section>
        <Metadata value={statement} />
      </Stack>
    </>
  )
}

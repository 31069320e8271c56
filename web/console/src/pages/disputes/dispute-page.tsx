import { Alert } from '@mantine/core'
import { IconClock } from '#components/icons.tsx'
import { getRouteApi } from '@tanstack/react-router'
import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { beforeValue } from '#components/joined.ts'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Money } from '#components/money.tsx'
import { OrderLink } from '#components/object-name.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RawObject } from '#components/raw-object.tsx'
import { Fields, Section } from '#components/section.tsx'
import { sentence } from '#components/sentence.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { DueIn } from '#pages/disputes/due-in.tsx'
import { Evidence } from '#pages/disputes/evidence.tsx'

const route = getRouteApi('/shell/disputes/$id')

export function DisputePage() {
  const { id } = route.useParams()
  const query = useApiQuery(['disputes', id], ({ quittance }, signal) =>
    quittance.disputes.get(id, { signal }),
  )
  return <Loaded query={query}>{(dispute) => <DisputeDetails dispute={dispute} />}</Loaded>
}

function DisputeDetails({ dispute }: { readonly dispute: Schemas['Dispute'] }) {
  const { t } = useTranslation('disputes')
  const needsResponse = dispute.state.endsWith('needs_response') && dispute.submitted_at === null
  return (
    <>
      <PageHeader
        title={t('title_one')}
        heading={<Money amount={dispute.amount} currency={dispute.currency} size="lg" />}
        badges={<StateBadge state={dispute.state} />}
        back={<TextLink to="/disputes">{t('title')}</TextLink>}
      />
      {needsResponse && dispute.respond_by !== null && (
        <Alert
          color="orange"
          variant="light"
          mb="md"
          icon={<IconClock aria-hidden />}
          title={<DueIn dispute={dispute} />}
          styles={{
            title: { color: 'var(--mantine-color-text)' },
            message: { color: 'var(--mantine-color-text)' },
          }}
        >
          {beforeValue(t('due.text'))}
          <Time at={dispute.respond_by} />
        </Alert>
      )}
      <Columns
        main={
          <>
            <Evidence dispute={dispute} />
            <RawObject value={dispute} />
          </>
        }
        side={
          <Section title={t('details')}>
            <Fields
              fields={[
                [t('column.reason'), sentence(dispute.reason)],
                [t('column.id'), <CopyableId key="id" id={dispute.id} />],
                [t('column.acquirer_reference'), <CopyableId key="ref" id={dispute.acquirer_reference} />],
                dispute.order_number !== null && [
                  t('column.order_number'),
                  <OrderLink key="order" number={dispute.order_number} />,
                ],
                dispute.transaction !== null && [
                  t('transaction'),
                  <TextLink
                    key="transaction"
                    to="/transactions/$uuid"
                    params={{ uuid: dispute.transaction.uuid }}
                  >
                    {t('show_transaction')}
                  </TextLink>,
                ],
                [t('column.respond_by'), <Time key="by" at={dispute.respond_by} />],
                [t('submitted_at'), <Time key="submitted" at={dispute.submitted_at} />],
                [t('column.created_at'), <Time key="at" at={dispute.created_at} />],
              ]}
            />
          </Section>
        }
      />
    </>
  )
}

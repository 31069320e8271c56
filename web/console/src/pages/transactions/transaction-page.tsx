import { Alert } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Order, Transaction } from 'quittance'
import { useTranslation } from 'react-i18next'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Money } from '#components/money.tsx'
import { CustomerLink } from '#components/object-name.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { Fields, Section } from '#components/section.tsx'
import { sentence } from '#components/sentence.ts'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { TransactionButtons } from '#pages/transactions/transaction-buttons.tsx'
import { instrumentOf } from '#pages/transactions/transaction-dialogs.tsx'
import { TransactionTable } from '#pages/transactions/transaction-table.tsx'

const route = getRouteApi('/shell/transactions/$uuid')

export function TransactionPage() {
  const { t } = useTranslation('transactions')
  const { uuid } = route.useParams()
  const query = useApiQuery(['transactions', uuid], ({ quittance }, signal) =>
    quittance.orders.get({ transaction: { uuid } }, {}, { signal }),
  )
  return (
    <Loaded query={query}>
      {({ order }) => {
        const transaction = order.transactions.find((one) => one.uuid === uuid)
        if (transaction === undefined) return <ErrorState error={new Error(t('not_found', { uuid }))} />
        return <TransactionDetails order={order} transaction={transaction} />
      }}
    </Loaded>
  )
}

interface DetailsProps {
  readonly order: Order
  readonly transaction: Transaction
}

function TransactionDetails({ order, transaction }: DetailsProps) {
  const { t } = useTranslation('transactions')
  const { payment_data: data, currency } = transaction
  const state = transaction.void_is_pending ? 'void_pending' : data.transaction_state
  const related = order.transactions.filter(
    (one) =>
      one.original_transaction_uuid === transaction.uuid ||
      one.uuid === transaction.original_transaction_uuid,
  )
  return (
    <>
      <PageHeader
        title={t('title_one', { type: t(`type.${transaction.type}`) })}
        heading={<Money amount={transaction.amount} currency={currency} size="lg" />}
        badges={
          <>
            <StateBadge state={transaction.type} label={t(`type.${transaction.type}`)} />
            <StateBadge state={state} />
          </>
        }
        back={<TextLink to="/transactions">{t('title')}</TextLink>}
        actions={<TransactionButtons order={order} transaction={transaction} />}
      />
      {data.transaction_state === 'unknown' && (
        <Alert
          color="orange"
          variant="light"
          mb="md"
          title={t('unknown.title')}
          c="var(--mantine-color-text)"
        >
          {t('unknown.text')}
        </Alert>
      )}
      {data.transaction_state === 'failed' && (
        <Alert color="red" variant="light" mb="md" title={t('failed.title')}>
          {declineText(transaction)}
        </Alert>
      )}
      <Columns
        main={
          <>
            <Section title={t('details')}>
              <Fields
                fields={[
                  [t('field.uuid'), <CopyableId key="uuid" id={transaction.uuid} />],
                  [
                    t('field.order'),
                    <TextLink key="order" to="/orders/$number" params={{ number: order.number }}>
                      {order.reference_number}
                    </TextLink>,
                  ],
                  order.customer_uuid !== undefined && [
                    t('field.customer'),
                    <CustomerLink key="customer" uuid={order.customer_uuid} />,
                  ],
                  [t('field.value_date'), <Time key="value" at={transaction.value_date} />],
                  hasText(transaction.returned_on) && [
                    t('field.returned_on'),
                    <Time key="returned" at={transaction.returned_on} />,
                  ],
                  [t('field.created_at'), <Time key="at" at={transaction.created_at} withSeconds />],
                  [t('field.method'), instrumentOf(transaction, t)],
                  hasText(data.holder_name) && [t('field.holder'), data.holder_name],
                  hasText(data.exp_month) && [t('field.expiry'), `${data.exp_month} / ${data.exp_year}`],
                  hasText(transaction.reference_id) && [
                    t('field.reference_id'),
                    <CopyableId key="reference" id={transaction.reference_id} />,
                  ],
                  hasText(transaction.note) && [t('note'), transaction.note],
                ]}
              />
            </Section>
            {related.length > 0 && (
              <Section title={t('related')}>
                <TransactionTable order={order} transactions={related} label={t('related')} />
              </Section>
            )}
          </>
        }
        side={
          <Section title={t('acquirer')}>
            <Fields
              fields={[
                [t('field.acquirer'), sentence(data.acquirer_name)],
                hasText(data.new_gateway_txn_id) && [
                  t('field.acquirer_reference'),
                  <CopyableId key="gateway" id={data.new_gateway_txn_id} />,
                ],
                hasText(data.resp_code) && [t('field.resp_code'), <code key="code">{data.resp_code}</code>],
                hasText(data.resp_msg) && [t('field.resp_msg'), data.resp_msg],
                hasText(data.auth_code) && [t('field.auth_code'), data.auth_code],
                hasText(data.rrn) && [t('field.rrn'), <CopyableId key="rrn" id={data.rrn} />],
                hasText(data.merchant_id) && [t('field.merchant_id'), data.merchant_id],
                [t('field.receipt_id'), data.receipt_id],
              ]}
            />
          </Section>
        }
      />
    </>
  )
}

function hasText(value: string | null | undefined): value is string {
  return value !== undefined && value !== null && value !== ''
}

function declineText({ payment_data: { resp_code, resp_msg } }: Transaction): string {
  return [resp_msg, resp_code].filter(hasText).join(' · ')
}

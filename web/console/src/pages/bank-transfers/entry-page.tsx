import { Group, Stack, Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ColumnTable } from '#components/column-table.tsx'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { beforeValue } from '#components/joined.ts'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { formatAmount, Money } from '#components/money.tsx'
import { OrderLink } from '#components/object-name.tsx'
import { isIssued } from '#pages/invoices/invoice-list.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RawObject } from '#components/raw-object.tsx'
import { Fields, Section } from '#components/section.tsx'
import { Time } from '#components/time.tsx'
import { type BankEntry, isWaiting } from '#pages/bank-transfers/bank-entry.ts'
import { FindButton, IgnoreButton, MatchButton } from '#pages/bank-transfers/entry-actions.tsx'
import { EntryState, InvoiceLinks, ReasonText } from '#pages/bank-transfers/entry-list.tsx'

const route = getRouteApi('/shell/bank-entries/$id')

export function EntryPage() {
  const { id } = route.useParams()
  const query = useApiQuery(['bank-entries', id], async ({ quittance }, signal) => {
    const filter = `id = ${id}`
    const { data } = await quittance.bankEntries.list({ filter, suggestions: true, limit: 1 }, { signal })
    return data[0] ?? quittance.bankEntries.get(id, { signal })
  })
  return <Loaded query={query}>{(entry) => <EntryDetails key={id} entry={entry} />}</Loaded>
}

function EntryDetails({ entry }: { readonly entry: BankEntry }) {
  const { t, i18n } = useTranslation('bank-entries')
  const { amount, currency, debtor_name, debtor_iban, returned_on } = entry
  const money = `${formatAmount(amount, currency, i18n.language)} ${currency}`
  return (
    <>
      <PageHeader
        title={t('title_one', { amount: money })}
        badges={<EntryState entry={entry} />}
        back={<TextLink to="/bank-entries">{t('title')}</TextLink>}
        actions={
          <>
            {isWaiting(entry) && <FindButton entry={entry} />}
            <IgnoreButton entry={entry} />
          </>
        }
      />
      <Columns
        main={
          <>
            <Section title={t(isWaiting(entry) ? 'suggestions' : 'column.invoice')}>
              {isWaiting(entry) ? <Suggestions entry={entry} /> : <Paid entry={entry} />}
              {returned_on !== null && (
                <Text size="sm">
                  {beforeValue(t('returned_on'))}
                  <Time at={returned_on} />
                </Text>
              )}
            </Section>
            <RawObject value={entry} />
          </>
        }
        side={
          <Section title={t('details')}>
            <Fields
              fields={[
                [t('column.amount'), <Money key="amount" amount={amount} currency={currency} />],
                [t('column.booking_date'), <Time key="date" at={entry.booking_date} />],
                entry.counted_on !== null && [t('counted_on'), <Time key="counted" at={entry.counted_on} />],
                debtor_name !== null && [t('column.payer'), debtor_name],
                debtor_iban !== null && [t('column.debtor_iban'), <CopyableId key="iban" id={debtor_iban} />],
                entry.remittance !== '' && [t('column.remittance'), entry.remittance],
                entry.bank_reference !== null && [
                  t('column.bank_reference'),
                  <CopyableId key="reference" id={entry.bank_reference} />,
                ],
                [
                  t('column.statement'),
                  <TextLink
                    key="statement"
                    to="/bank-statements/$id"
                    params={{ id: entry.bank_statement_id }}
                  >
                    {t('show_statement')}
                  </TextLink>,
                ],
                [t('column.id'), <CopyableId key="id" id={entry.id} />],
                [t('column.created_at'), <Time key="at" at={entry.created_at} />],
              ]}
            />
          </Section>
        }
      />
    </>
  )
}

function Suggestions({ entry }: { readonly entry: BankEntry }) {
  const { t } = useTranslation('bank-entries')
  const { suggestions = [], currency } = entry
  if (suggestions.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('no_suggestion')}
      </Text>
    )
  }
  return (
    <Stack gap="sm">
      {suggestions.map((suggestion) => (
        <Group key={suggestion.invoices.map(({ id }) => id).join()} justify="space-between" wrap="nowrap">
          <div>
            <Text size="sm">
              {suggestion.invoices.length > 0 && (
                <>
                  <InvoiceLinks invoices={suggestion.invoices} /> ·{' '}
                </>
              )}
              <TextLink to="/customers/$uuid" params={{ uuid: suggestion.customer_uuid }} underline="always">
                {suggestion.customer_name}
              </TextLink>
            </Text>
            <Text size="xs" c="dimmed">
              <ReasonText suggestion={suggestion} currency={currency} />
            </Text>
            {suggestion.invoices.length === 0 && <Text size="sm">{t('paid_twice')}</Text>}
          </div>
          {suggestion.invoices.length > 0 && <MatchButton entry={entry} suggestion={suggestion} />}
        </Group>
      ))}
    </Stack>
  )
}

/** What the entry paid, with the orders and customers of its invoices. */
function Paid({ entry: { invoices, currency } }: { readonly entry: BankEntry }) {
  const { t } = useTranslation('bank-entries')
  const ids = invoices.map(({ id }) => id)
  const query = useApiQuery(
    ['invoices', 'of', ...ids],
    (api, signal) => Promise.all(ids.map((id) => api.quittance.invoices.get(id, { signal }))),
    { enabled: ids.length > 0 },
  )
  if (ids.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('no_invoice')}
      </Text>
    )
  }
  return (
    <Loaded query={query}>
      {(found) => (
        <ColumnTable
          label={t('column.invoice')}
          minWidth={440}
          columns={[
            {
              name: t('column.invoice'),
              cell: ({ id, number }) => (
                <TextLink to="/invoices/$id" params={{ id }}>
                  {number}
                </TextLink>
              ),
              noWrap: true,
            },
            {
              name: t('column.order'),
              cell: ({ order_number: number }) => <OrderLink number={number} />,
            },
            {
              name: t('column.customer'),
              cell: ({ buyer }) => (
                <TextLink to="/customers/$uuid" params={{ uuid: buyer.customer_uuid }}>
                  {buyer.name}
                </TextLink>
              ),
            },
            {
              name: t('column.amount'),
              cell: ({ id }) => (
                <Money amount={invoices.find((one) => one.id === id)?.amount} currency={currency} />
              ),
              align: 'right',
              isMain: true,
            },
          ]}
          rows={found.filter((one) => isIssued(one))}
          keyOf={({ id }) => id}
        />
      )}
    </Loaded>
  )
}

import { Button, Grid, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { Order } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { CopyableId } from '#components/copyable-id.tsx'
import { ErrorState } from '#components/error-state.tsx'
import { JsonView } from '#components/json-view.tsx'
import { TextLink } from '#components/links.tsx'
import { Money } from '#components/money.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { PageSkeleton } from '#components/page-skeleton.tsx'
import { Fields, Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { LineItems } from '#pages/orders/line-items.tsx'
import { OrderTimeline } from '#pages/orders/order-timeline.tsx'
import { TransactionActions } from '#pages/orders/transaction-actions.tsx'
import { Transactions } from '#pages/orders/transactions.tsx'
import { VoidOrder } from '#pages/orders/void-order.tsx'

const route = getRouteApi('/shell/orders/$number')

export function OrderPage() {
  const { t } = useTranslation('orders')
  const { number } = route.useParams()
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: api.key('orders', 'one', number),
    queryFn: ({ signal }) => api.quittance.orders.get(number, { with_payment_link: true }, { signal }),
  })
  if (error !== null && data === undefined) return <ErrorState error={error} retry={refetch} />
  if (data === undefined) return <PageSkeleton />
  const { order } = data
  return (
    <>
      <PageHeader
        title={t('order_title', { reference: order.reference_number })}
        back={<TextLink to="/orders">{t('title')}</TextLink>}
        heading={<Money amount={order.initial_total} currency={order.currency} size="lg" />}
        badges={
          <>
            <StateBadge state={order.state} />
            <StateBadge state={order.correspondence_state} />
          </>
        }
        actions={<OrderActions order={order} link={data.payment_link} />}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="md">
            <OrderTimeline number={number} />
            <Section title={t('transactions')}>
              <Transactions order={order} />
            </Section>
            {order.line_items !== null && order.line_items.length > 0 && (
              <Section title={t('line_items')}>
                <LineItems order={order} />
              </Section>
            )}
            <RawOrder order={order} />
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <OrderFields order={order} />
        </Grid.Col>
      </Grid>
    </>
  )
}

function OrderActions({ order, link }: { readonly order: Order; readonly link: string | undefined }) {
  const { t } = useTranslation('orders')
  const api = useApi()
  return (
    <>
      {link !== undefined && (
        <Button component="a" href={link} target="_blank" rel="noreferrer" variant="default" size="xs">
          {t('payment_page')}
        </Button>
      )}
      {api.can('payments:write') && (
        <>
          {order.transactions.map((transaction) => (
            <TransactionActions key={transaction.uuid} order={order} transaction={transaction} />
          ))}
          {order.state === 'open' && <VoidOrder order={order} />}
        </>
      )}
    </>
  )
}

function OrderFields({ order }: { readonly order: Order }) {
  const { t } = useTranslation('orders')
  const { currency } = order
  return (
    <Section title={t('details')}>
      <Fields
        fields={[
          [t('column.number'), <CopyableId key="number" id={order.number} />],
          [t('column.reference_number'), <CopyableId key="reference" id={order.reference_number} />],
          [t('column.amount'), <Money key="amount" amount={order.initial_total} currency={currency} />],
          [t('column.paid_total'), <Money key="paid" amount={order.paid_total} currency={currency} />],
          [t('amount_due'), <Money key="due" amount={order.amount_due} currency={currency} />],
          [
            t('column.refunded_total'),
            <Money key="refunded" amount={order.refunded_total} currency={currency} />,
          ],
          order.customer_uuid !== undefined && [
            t('column.customer_uuid'),
            <CopyableId key="customer" id={order.customer_uuid} />,
          ],
          order.plan_id !== undefined && [t('plan'), <CopyableId key="plan" id={order.plan_id} />],
          [t('column.source'), <StateBadge key="source" state={order.source} tone="plain" />],
          order.due_date !== null && [t('column.due_date'), <Time key="due_date" at={order.due_date} />],
          [t('column.created_at'), <Time key="created" at={order.created_at} withSeconds />],
          [t('updated_at'), <Time key="updated" at={order.updated_at} withSeconds />],
        ]}
      />
    </Section>
  )
}

function RawOrder({ order }: { readonly order: Order }) {
  const { t } = useTranslation('orders')
  const [isShown, setShown] = useState(false)
  return (
    <Section
      title={t('api_object')}
      actions={
        <Button size="xs" variant="default" onClick={() => setShown(!isShown)} aria-expanded={isShown}>
          {t(isShown ? 'hide' : 'show')}
        </Button>
      }
    >
      {isShown ? (
        <JsonView value={order} label={t('api_object')} />
      ) : (
        <Group>
          <Text size="sm" c="dimmed">
            {t('api_object_text')}
          </Text>
        </Group>
      )}
    </Section>
  )
}

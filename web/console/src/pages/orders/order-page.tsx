import { ActionIcon, Group, Menu, Text } from '@mantine/core'
import { IconDots } from '#components/icons.tsx'
import { getRouteApi } from '@tanstack/react-router'
import { type Order, toMinorUnits } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionButton } from '#components/action-button.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { Columns } from '#components/columns.tsx'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Metadata } from '#components/metadata.tsx'
import { Money } from '#components/money.tsx'
import { CustomerLink } from '#components/object-name.tsx'
import { ObjectTimeline } from '#components/object-timeline.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RawObject } from '#components/raw-object.tsx'
import { Fields, Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { DocumentSection } from '#pages/invoices/document-section.tsx'
import { LineItems } from '#pages/orders/line-items.tsx'
import { OrderLinkDialog, OrderVoidDialog } from '#pages/orders/order-dialogs.tsx'
import { actionsOf } from '#pages/transactions/offered-actions.ts'
import { TransactionDialog } from '#pages/transactions/transaction-dialogs.tsx'
import { TransactionTable } from '#pages/transactions/transaction-table.tsx'

const route = getRouteApi('/shell/orders/$number')

type Dialog = 'void' | 'refund' | 'payment_link' | 'document' | null

export function OrderPage() {
  const { number } = route.useParams()
  const query = useApiQuery(
    ['orders', number],
    async ({ quittance }, signal) => (await quittance.orders.get(number, {}, { signal })).order,
  )
  return <Loaded query={query}>{(order) => <OrderDetails order={order} />}</Loaded>
}

function OrderDetails({ order }: { readonly order: Order }) {
  const { t } = useTranslation('order')
  const { currency } = order
  return (
    <>
      <PageHeader
        title={t('title', { reference: order.reference_number })}
        heading={<Money amount={order.initial_total} currency={currency} size="lg" />}
        badges={
          <>
            <StateBadge state={order.state} />
            {order.state === 'open' && <StateBadge state={order.correspondence_state} />}
          </>
        }
        back={<TextLink to="/orders">{t('back')}</TextLink>}
        actions={<OrderActions order={order} />}
      />
      <Columns
        main={
          <>
            <Section title={t('timeline')}>
              <ObjectTimeline of="orders" id={order.number} />
            </Section>
            <Section title={t('transactions')}>
              {order.transactions.length === 0 ? (
                <Text size="sm" c="dimmed">
                  {t('no_transactions')}
                </Text>
              ) : (
                <TransactionTable order={order} transactions={order.transactions} label={t('transactions')} />
              )}
            </Section>
            {order.line_items !== null && order.line_items.length > 0 && (
              <Section title={t('lines')}>
                <LineItems order={order} />
              </Section>
            )}
            {order.billing?.invoice_id !== undefined && (
              <DocumentSection filter={`order_number = ${order.number}`} />
            )}
            <RawObject value={order} />
          </>
        }
        side={
          <>
            <OrderFields order={order} />
            <Metadata value={order} />
            <Section title={t('related')}>
              <Group gap="xs">
                <TextLink to="/events" search={{ filter: `object_id = ${order.number}` }}>
                  {t('events')}
                </TextLink>
                <TextLink to="/requests" search={{ filter: `object_id = ${order.number}` }}>
                  {t('requests')}
                </TextLink>
              </Group>
            </Section>
          </>
        }
      />
    </>
  )
}

function OrderFields({ order }: { readonly order: Order }) {
  const { t } = useTranslation('order')
  const { currency } = order
  return (
    <Section title={t('summary')}>
      <Fields
        fields={[
          [t('field.reference_number'), <CopyableId key="reference" id={order.reference_number} />],
          [t('field.number'), <CopyableId key="number" id={order.number} />],
          [t('field.paid_total'), <Money key="paid" amount={order.paid_total} currency={currency} />],
          [t('field.amount_due'), <Money key="due" amount={order.amount_due} currency={currency} />],
          !isZero(order.refunded_total, currency) && [
            t('field.refunded_total'),
            <Money key="refunded" amount={order.refunded_total} currency={currency} />,
          ],
          [t('field.created_at'), <Time key="created" at={order.created_at} withSeconds />],
          order.due_date !== null && [t('field.due_date'), <Time key="date" at={order.due_date} />],
          order.customer_uuid !== undefined && [
            t('field.customer'),
            <CustomerLink key="customer" uuid={order.customer_uuid} />,
          ],
          order.plan_id !== undefined && [
            t('field.plan'),
            <TextLink key="plan" to="/plans/$id" params={{ id: order.plan_id }}>
              {t('field.show_plan')}
            </TextLink>,
          ],
          [t('field.source'), t(`source.${order.source}`)],
          order.notify_url !== undefined && [
            t('field.notify_url'),
            <code key="url">{order.notify_url}</code>,
          ],
        ]}
      />
    </Section>
  )
}

function OrderActions({ order }: { readonly order: Order }) {
  const { t } = useTranslation('order')
  const [dialog, setDialog] = useState<Dialog>(null)
  const close = () => setDialog(null)
  const refundable = order.transactions.filter((one) => actionsOf(one, order).includes('refund'))
  const [refunded] = refundable
  const isOver = order.state !== 'open' && order.state !== 'completed'
  return (
    <>
      {refundable.length === 1 && (
        <ActionButton scope="payments:write" onClick={() => setDialog('refund')}>
          {t('refund')}
        </ActionButton>
      )}
      <ActionButton
        scope="payments:write"
        blocked={
          order.allow_void ? undefined : t(isOver ? 'void.blocked' : 'void.not_now', { state: order.state })
        }
        onClick={() => setDialog('void')}
      >
        {t('void.button')}
      </ActionButton>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={t('more')}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {order.state === 'open' && (
            <Menu.Item onClick={() => setDialog('payment_link')}>{t('link.button')}</Menu.Item>
          )}
          <Menu.Item onClick={() => setDialog('document')}>{t('document.button')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {dialog === 'refund' && refunded !== undefined && (
        <TransactionDialog action="refund" order={order} transaction={refunded} onClose={close} />
      )}
      {dialog === 'void' && <OrderVoidDialog order={order} onClose={close} />}
      {(dialog === 'payment_link' || dialog === 'document') && (
        <OrderLinkDialog kind={dialog} order={order} onClose={close} />
      )}
    </>
  )
}

function isZero(amount: string, currency: string): boolean {
  return toMinorUnits(amount, currency) === 0n
}

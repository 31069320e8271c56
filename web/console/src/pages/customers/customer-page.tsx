import { Skeleton } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Customer } from 'quittance'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { TextLink } from '#components/links.tsx'
import { EmailText } from '#components/email-text.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Metadata } from '#components/metadata.tsx'
import { ObjectTimeline } from '#components/object-timeline.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { Placeholder } from '#components/parts.tsx'
import { RawObject } from '#components/raw-object.tsx'
import { RelatedList } from '#components/related-list.tsx'
import { Fields, Section } from '#components/section.tsx'
import { Time } from '#components/time.tsx'
import { BillingDetails } from '#pages/customers/billing-details.tsx'
import { CustomerActions } from '#pages/customers/customer-actions.tsx'
import { Notes } from '#pages/customers/notes.tsx'
import { PaymentTokens } from '#pages/customers/payment-tokens.tsx'
import { PersonalData } from '#pages/customers/personal-data.tsx'
import { Spend } from '#pages/customers/spend.tsx'
import { DocumentSection } from '#pages/invoices/document-section.tsx'
import { CustomerMessages } from '#pages/messages/customer-messages.tsx'
import { orderList } from '#pages/orders/order-list.tsx'
import { planList } from '#pages/plans/plan-list.tsx'
import { transactionList } from '#pages/transactions/transaction-list.tsx'

const PortalLink = lazy(() =>
  import('#pages/customers/portal-link.tsx').then((page) => ({ default: page.PortalLink })),
)

const route = getRouteApi('/shell/customers/$uuid')

export function CustomerPage() {
  const { uuid } = route.useParams()
  const query = useApiQuery(['customers', uuid], ({ quittance }, signal) =>
    quittance.customers.get(uuid, { signal }),
  )
  return <Loaded query={query}>{(customer) => <CustomerDetails customer={customer} />}</Loaded>
}

function CustomerDetails({ customer }: { readonly customer: Customer }) {
  const { t } = useTranslation('customers')
  const { can } = useApi()
  const { uuid } = customer
  const ofCustomer = `customer.uuid = ${uuid}`
  const paidBy = `customer_uuid = ${uuid}`
  return (
    <>
      <PageHeader
        title={customer.name ?? customer.reference_number}
        back={<TextLink to="/customers">{t('title')}</TextLink>}
        actions={customer.erased_at === undefined && <CustomerActions customer={customer} />}
      />
      <Columns
        main={
          <>
            <Section title={t('plans')}>
              <RelatedList
                list={planList}
                label={t('plans')}
                empty={t('no_plans')}
                filter={ofCustomer}
                columns={['name', 'state', 'next_execute_time']}
              />
            </Section>
            <PaymentTokens customer={customer} />
            <Section
              title={t('orders')}
              actions={
                <TextLink to="/orders" search={{ filter: ofCustomer }} fz="sm">
                  {t('all_orders')}
                </TextLink>
              }
            >
              <RelatedList
                list={orderList}
                label={t('orders')}
                empty={t('no_orders')}
                filter={ofCustomer}
                columns={['amount', 'state', 'reference_number', 'created_at']}
              />
            </Section>
            <Section
              title={t('payments')}
              actions={
                <TextLink to="/transactions" search={{ filter: paidBy }} fz="sm">
                  {t('all_payments')}
                </TextLink>
              }
            >
              <RelatedList
                list={transactionList}
                label={t('payments')}
                empty={t('no_payments')}
                filter={paidBy}
                columns={['amount', 'state', 'type', 'method', 'created_at']}
                limit={5}
              />
            </Section>
            <DocumentSection filter={ofCustomer} />
            <CustomerMessages customer={customer} />
            <Section title={t('timeline')}>
              <ObjectTimeline of="customers" id={uuid} />
            </Section>
            <RawObject value={customer} />
          </>
        }
        side={
          <>
            <Section title={t('details')}>
              <Fields
                fields={[
                  [t('column.uuid'), <CopyableId key="uuid" id={uuid} />],
                  [t('column.reference_number'), <CopyableId key="ref" id={customer.reference_number} />],
                  can('payments:read') && [t('spend'), <Spend key="spend" uuid={uuid} />],
                  [t('column.email'), <EmailText key="email" address={customer.email} />],
                  [t('column.phone'), `${customer.dial_code} ${customer.phone ?? ''}`.trim() || '—'],
                  customer.company_name !== undefined && [t('column.company_name'), customer.company_name],
                  customer.default_payment_method !== undefined && [
                    t('default_method'),
                    customer.default_payment_method,
                  ],
                  [t('column.created_at'), <Time key="at" at={customer.created_at} />],
                  customer.erased_at !== undefined && [
                    t('column.erased_at'),
                    <Time key="erased" at={customer.erased_at} />,
                  ],
                ]}
              />
            </Section>
            <Notes customer={customer} />
            <BillingDetails customer={customer} />
            {customer.erased_at === undefined && (
              <Suspense
                fallback={
                  <Placeholder>
                    <Skeleton h={206} />
                  </Placeholder>
                }
              >
                <PortalLink customer={customer} />
              </Suspense>
            )}
            <Metadata value={customer} />
            <PersonalData customer={customer} />
          </>
        }
      />
    </>
  )
}

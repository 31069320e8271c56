import { Text } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { Plan } from 'quittance'
import { useTranslation } from 'react-i18next'
import { ColumnTable } from '#components/column-table.tsx'
import { Columns } from '#components/columns.tsx'
import { CopyableId } from '#components/copyable-id.tsx'
import { joinParts } from '#components/joined.ts'
import { TextLink } from '#components/links.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { Metadata } from '#components/metadata.tsx'
import { Money } from '#components/money.tsx'
import { ObjectTimeline } from '#components/object-timeline.tsx'
import { PaymentLink } from '#components/payment-link.tsx'
import { PageHeader } from '#components/page-header.tsx'
import { RawObject } from '#components/raw-object.tsx'
import { Fields, Section } from '#components/section.tsx'
import { StateBadge } from '#components/state-badge.tsx'
import { Time } from '#components/time.tsx'
import { PlanCoupons } from '#pages/coupons/plan-coupons.tsx'
import { useLengthText } from '#pages/plans/length-text.ts'
import { PlanActions } from '#pages/plans/plan-actions.tsx'
import { Interval, PlanSummary } from '#pages/plans/plan-summary.tsx'
import { currencyOf } from '#pages/plans/plan.ts'

const route = getRouteApi('/shell/plans/$id')

export function PlanPage() {
  const { id } = route.useParams()
  const query = useApiQuery(['plans', id], ({ quittance }, signal) => quittance.plans.get(id, { signal }))
  return <Loaded query={query}>{(plan) => <PlanDetails plan={plan} />}</Loaded>
}

function PlanDetails({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation('plans')
  return (
    <>
      <PageHeader
        title={plan.name}
        badges={<StateBadge state={plan.state} />}
        back={<TextLink to="/plans">{t('title')}</TextLink>}
        actions={<PlanActions plan={plan} />}
      />
      <Columns
        main={
          <>
            <PlanSummary plan={plan} />
            <Section title={t('timeline')}>
              <ObjectTimeline of="plans" id={plan.id} />
            </Section>
            <Section title={t('cycles')}>
              <Cycles plan={plan} />
            </Section>
            <PlanCoupons plan={plan} />
            <RawObject value={plan} />
          </>
        }
        side={
          <>
            <PlanFields plan={plan} />
            {plan.current_order !== undefined && <CurrentOrder plan={plan} order={plan.current_order} />}
            <Metadata value={plan} />
          </>
        }
      />
    </>
  )
}

function PlanFields({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation('plans')
  return (
    <Section title={t('details')}>
      <Fields
        fields={[
          [t('column.id'), <CopyableId key="id" id={plan.id} />],
          plan.reference_number !== undefined && [
            t('column.reference_number'),
            <CopyableId key="reference" id={plan.reference_number} />,
          ],
          plan.trial !== undefined && [
            t(`trial.state.${plan.trial.state}`),
            <Time key="trial" at={plan.trial.end} />,
          ],
          plan.terms !== undefined && [t('terms.label'), <Terms key="terms" {...plan.terms} />],
          [t('credit.label'), <Money key="credit" amount={plan.credit} currency={currencyOf(plan)} />],
          [
            t('retries'),
            plan.dunning_policy_id === undefined ? (
              t('retries_text', { count: plan.payment_retry_count, days: plan.payment_retry_day_period })
            ) : (
              <TextLink key="policy" to="/dunning-policies/$id" params={{ id: plan.dunning_policy_id }}>
                {t('retries_policy', { count: plan.payment_retry_count })}
              </TextLink>
            ),
          ],
          [
            t('grace'),
            plan.grace_period === null ? t('grace_forever') : t('grace_text', { count: plan.grace_period }),
          ],
          [t('start'), <Time key="start" at={plan.start_date} />],
          plan.callback_url !== undefined && [t('callback_url'), <code key="url">{plan.callback_url}</code>],
          plan.note !== undefined && plan.note !== '' && [t('note'), plan.note],
          plan.description !== null && plan.description !== '' && [t('description'), plan.description],
        ]}
      />
    </Section>
  )
}

function Terms({ minimum, notice, renewal }: NonNullable<Plan['terms']>) {
  const { t, i18n } = useTranslation('plans')
  const lengthOf = useLengthText()
  return joinParts(i18n.language, [
    t('terms.minimum', { minimum: lengthOf(minimum) }),
    ...(notice === undefined ? [] : [t('terms.notice', { notice: lengthOf(notice) })]),
    ...(renewal === undefined ? [] : [t('terms.renewal', { renewal: lengthOf(renewal) })]),
  ])
}

interface CurrentOrderProps {
  readonly plan: Plan
  readonly order: NonNullable<Plan['current_order']>
}

function CurrentOrder({ plan, order }: CurrentOrderProps) {
  const { t } = useTranslation('plans')
  return (
    <Section title={t('current_order')}>
      <Fields
        fields={[
          [
            t('order'),
            <TextLink key="order" to="/orders/$number" params={{ number: order.order_number }}>
              {order.reference_number}
            </TextLink>,
          ],
          [t('column.amount'), <Money key="amount" amount={order.amount} currency={order.currency} />],
          [t('paid'), <Money key="paid" amount={order.paid_total} currency={order.currency} />],
          [t('column.state'), <StateBadge key="state" state={order.state} />],
          plan.current_payment_link !== undefined && [
            t('payment_link'),
            <PaymentLink key="link" url={plan.current_payment_link} />,
          ],
        ]}
      />
    </Section>
  )
}

function Cycles({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation('plans')
  return (
    <ColumnTable
      label={t('cycles')}
      minWidth={520}
      verticalSpacing="xs"
      columns={[
        {
          name: t('cycle.bills'),
          cell: (cycle) => (
            <>
              <Interval cycle={cycle} />
              <Text size="xs" c="dimmed">
                <Period
                  from={cycle.start_date ?? cycle.estimated_start_date}
                  to={cycle.end_date ?? cycle.estimated_end_date}
                />
              </Text>
            </>
          ),
        },
        {
          name: t('cycle.items'),
          cell: (cycle) =>
            cycle.recurring_items.map(({ id, label, quantity }) => (
              <div key={id}>
                {quantity} × {label}
              </div>
            )),
        },
        {
          name: t('cycle.amount'),
          cell: (cycle) => (
            <Money amount={cycle.billing_amount} currency={cycle.recurring_items[0]?.currency ?? ''} />
          ),
          align: 'right',
          isMain: true,
        },
        {
          name: t('cycle.orders'),
          cell: (cycle) =>
            cycle.billing_count === null
              ? t('cycle.made_forever', { made: cycle.billing_count_created })
              : t('cycle.made', { made: cycle.billing_count_created, total: cycle.billing_count }),
        },
        { name: t('cycle.state'), cell: (cycle) => <StateBadge state={cycle.state} /> },
      ]}
      rows={plan.recurring_cycles}
      keyOf={({ id = '' }) => id}
    />
  )
}

interface PeriodProps {
  readonly from: string | null | undefined
  readonly to: string | null | undefined
}

function Period({ from, to }: PeriodProps) {
  const { t } = useTranslation('plans')
  if (to === null || to === undefined) {
    return (
      <>
        {t('cycle.from')} <Time at={from} />
      </>
    )
  }
  return (
    <>
      <Time at={from} /> – <Time at={to} />
    </>
  )
}

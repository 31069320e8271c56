import type { Plan } from 'quittance'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { TextLink } from '#components/links.tsx'
import { useApiQuery } from '#components/loaded.tsx'
import { Money } from '#components/money.tsx'
import { Placeholder } from '#components/parts.tsx'
import { Fields, Section } from '#components/section.tsx'
import { Time } from '#components/time.tsx'
import { cardText } from '#pages/customers/customer-list.tsx'
import { intervalText } from '#pages/plans/interval-text.ts'
import { type Cycle, currencyOf, currentCycle, intervalOf } from '#pages/plans/plan.ts'

/** What a caller asks first: what the plan bills, when next, and by which card. */
export function PlanSummary({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation('plans')
  const { customer, pending_change: change } = plan
  const cycle = currentCycle(plan)
  return (
    <Section title={t('now.title')}>
      <Fields
        fields={[
          cycle !== undefined && [t('now.bills'), <Billed key="bills" plan={plan} cycle={cycle} />],
          [t('column.next_execute_time'), <Time key="next" at={plan.next_execute_time} />],
          customer !== undefined && [
            t('now.card'),
            <ChargedCard key="card" uuid={customer.uuid} token={plan.default_payment_token} />,
          ],
          customer !== undefined && [
            t('column.customer'),
            <TextLink key="customer" to="/customers/$uuid" params={{ uuid: customer.uuid }}>
              {customer.name}
            </TextLink>,
          ],
          plan.cancel_at !== undefined && [t('cancel_at'), <Time key="cancel" at={plan.cancel_at} />],
          change !== undefined && [
            t(change.until === undefined ? 'pending_change' : 'pending_payment'),
            <Time key="change" at={change.until ?? change.effective_at} />,
          ],
          plan.pause_until !== undefined && [
            t('pause.until'),
            <Time key="pause_until" at={plan.pause_until} />,
          ],
        ]}
      />
    </Section>
  )
}

function Billed({ plan, cycle }: { readonly plan: Plan; readonly cycle: Cycle }) {
  return (
    <>
      {cycle.recurring_items.map(({ quantity, label }) => `${quantity} × ${label}`).join(', ')}
      {' · '}
      <Money amount={cycle.billing_amount} currency={currencyOf(plan)} />
      {' · '}
      <Interval cycle={cycle} />
    </>
  )
}

interface ChargedCardProps {
  readonly uuid: string
  readonly token: string | undefined
}

/** The token of the plan, else the default of its customer. */
function ChargedCard({ uuid, token }: ChargedCardProps) {
  const { t } = useTranslation('plans')
  const { data, isError } = useApiQuery(
    ['customers', uuid, 'tokens'],
    async ({ quittance }, signal) => await quittance.paymentTokens.list(uuid, {}, { signal }),
    { enabled: useApi().can('customers:read') },
  )
  if (data === undefined) return isError ? '—' : <Placeholder>…</Placeholder>
  const charged = data.find((one) => (token === undefined ? one.default : one.token === token))
  return charged === undefined ? t('now.no_card') : cardText(charged)
}

export function Interval({ cycle }: { readonly cycle: Cycle }) {
  const { t } = useTranslation('plans')
  return intervalText(t, intervalOf(cycle))
}

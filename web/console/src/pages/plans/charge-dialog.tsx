import { Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { useApiQuery } from '#components/loaded.tsx'
import { formatAmount } from '#components/money.tsx'
import { cardText } from '#pages/customers/customer-list.tsx'
import type { PlanDialogProps } from '#pages/plans/plan-actions.tsx'

/** Pays the newest unpaid order with a card of the customer. That revives the plan; an attempt no longer does. */
export function ChargeDialog({ plan, onClose }: PlanDialogProps) {
  const { t, i18n } = useTranslation('plans')
  const { quittance } = useApi()
  const [token, setToken] = useState<string | null>(null)
  const { current_order: order, customer } = plan
  const { data } = useApiQuery(
    ['customers', customer?.uuid, 'tokens'],
    (api, signal) => api.quittance.paymentTokens.list(customer?.uuid ?? '', {}, { signal }),
    { enabled: customer !== undefined },
  )
  const cards = (data ?? []).filter(({ state }) => state === 'active')
  const amount =
    order === undefined
      ? ''
      : `${formatAmount(order.amount, order.currency, i18n.language)} ${order.currency}`
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('charge.title')}
      confirmLabel={t('charge.confirm', { amount })}
      doneMessage={t('charge.done')}
      isDisabled={token === null}
      effect={t('charge.effect', { amount, reference: order?.reference_number ?? '' })}
      run={({ idempotencyKey }) =>
        quittance.orders.pay(
          order?.order_number ?? '',
          { type: 'Sales', payment_token: token ?? '' },
          { idempotencyKey },
        )
      }
    >
      {data !== undefined && cards.length === 0 ? (
        <Text size="sm">{t('charge.no_card')}</Text>
      ) : (
        <Select
          label={t('charge.card')}
          value={token}
          data={cards.map((card) => ({ value: card.token, label: cardText(card) }))}
          onChange={setToken}
        />
      )}
    </ActionDialog>
  )
}

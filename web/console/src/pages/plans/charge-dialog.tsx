import { Select, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { useApiQuery } from '#components/loaded.tsx'
import { cardText } from '#pages/customers/customer-list.tsx'
import type { PlanDialogProps } from '#pages/plans/plan-dialog-props.ts'
import { newestOrder } from '#pages/plans/plan.ts'

/** Pays the newest unpaid order with a card of the customer. That revives the plan; an attempt no longer does. */
export function ChargeDialog({ plan, onClose }: PlanDialogProps) {
  const { t, i18n } = useTranslation('plans')
  const [token, setToken] = useState<string | null>(null)
  const { customer } = plan
  const order = newestOrder(plan, i18n.language)
  const { data } = useApiQuery(
    ['customers', customer?.uuid, 'tokens'],
    async (api, signal) => await api.quittance.paymentTokens.list(customer?.uuid ?? '', {}, { signal }),
    { enabled: customer !== undefined },
  )
  const cards = (data ?? []).filter(({ state }) => state === 'active')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('charge.title')}
      confirmLabel={t('charge.confirm', order)}
      doneMessage={t('charge.done')}
      isDisabled={token === null}
      effect={t('charge.effect', order)}
      run={(quittance) =>
        quittance.orders.pay(plan.current_order?.order_number ?? '', {
          type: 'Sales',
          payment_token: token ?? '',
        })
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

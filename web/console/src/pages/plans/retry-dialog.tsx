import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { Loaded, useApiQuery } from '#components/loaded.tsx'
import { formatAmount } from '#components/money.tsx'
import { cardText } from '#pages/customers/customer-list.tsx'
import type { PlanDialogProps } from '#pages/plans/plan-actions.tsx'

/** Charges the newest unpaid order now. A payment by the merchant is none of the plan's attempts. */
export function RetryDialog({ plan, onClose }: PlanDialogProps) {
  const { t, i18n } = useTranslation('plans')
  const { quittance } = useApi()
  const { current_order: current, customer } = plan
  const query = useApiQuery(['plans', plan.id, 'retry'], async (api, signal) => {
    if (current === undefined || customer === undefined) return {}
    const [{ order }, payer] = await Promise.all([
      api.quittance.orders.get(current.order_number, {}, { signal }),
      api.quittance.customers.get(customer.uuid, { signal }),
    ])
    const token = payer.default_payment_token
    return { order, ...(token?.state === 'active' && { token }) }
  })
  return (
    <Loaded query={query}>
      {({ order, token }) => {
        const amount =
          order === undefined
            ? ''
            : `${formatAmount(order.amount_due, order.currency, i18n.language)} ${order.currency}`
        return (
          <ActionDialog
            opened
            onClose={onClose}
            title={t('retry.title')}
            confirmLabel={t('retry.confirm', { amount })}
            isDisabled={order === undefined || token === undefined}
            doneMessage={t('retry.done')}
            effect={
              token === undefined || order === undefined
                ? t('retry.no_card')
                : t('retry.effect', { amount, card: cardText(token), reference: order.reference_number })
            }
            run={async ({ idempotencyKey }) => {
              if (order === undefined || token === undefined) return
              const payment = { type: 'Sales', payment_token: token.token } as const
              await quittance.orders.pay(order.number, payment, { idempotencyKey })
            }}
          />
        )
      }}
    </Loaded>
  )
}

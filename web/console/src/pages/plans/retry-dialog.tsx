import { useTranslation } from 'react-i18next'
import { useApi } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { formatAmount } from '#components/money.tsx'
import type { PlanDialogProps } from '#pages/plans/plan-actions.tsx'

/** Makes the next attempt of the newest order now. It counts as the attempt that was scheduled. */
export function RetryDialog({ plan, onClose }: PlanDialogProps) {
  const { t, i18n } = useTranslation('plans')
  const { quittance } = useApi()
  const { current_order: order } = plan
  const amount =
    order === undefined
      ? ''
      : `${formatAmount(order.amount, order.currency, i18n.language)} ${order.currency}`
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('retry.title')}
      confirmLabel={t('retry.confirm')}
      doneMessage={t('retry.done')}
      effect={t('retry.effect', { amount, reference: order?.reference_number ?? '' })}
      run={({ idempotencyKey }) => quittance.plans.retry(plan.id, {}, { idempotencyKey })}
    />
  )
}

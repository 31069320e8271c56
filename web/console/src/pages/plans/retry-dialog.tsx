import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import type { PlanDialogProps } from '#pages/plans/plan-dialog-props.ts'
import { newestOrder } from '#pages/plans/plan.ts'

/** Makes the next attempt of the newest order now. It counts as the attempt that was scheduled. */
export function RetryDialog({ plan, onClose }: PlanDialogProps) {
  const { t, i18n } = useTranslation('plans')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('retry.title')}
      confirmLabel={t('retry.confirm')}
      doneMessage={t('retry.done')}
      effect={t('retry.effect', newestOrder(plan, i18n.language))}
      run={(quittance) => quittance.plans.retry(plan.id, {})}
    />
  )
}

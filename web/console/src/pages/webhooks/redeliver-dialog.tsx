import type { Delivery } from 'quittance'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'

interface RedeliverDialogProps {
  readonly delivery: Delivery
  readonly onClose: () => void
}

export function RedeliverDialog({ delivery, onClose }: RedeliverDialogProps) {
  const { t } = useTranslation('deliveries')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('redeliver.title')}
      confirmLabel={t('redeliver.button')}
      doneMessage={t('redeliver.done')}
      effect={t('redeliver.effect', { url: delivery.url })}
      run={(quittance) => quittance.deliveries.redeliver(delivery.id)}
    />
  )
}

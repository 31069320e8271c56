import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { LimitFields, type Limits } from '#pages/coupons/limit-fields.tsx'

interface CodeDialogProps {
  readonly couponId: string
  readonly onClose: () => void
}

export function CodeDialog({ couponId, onClose }: CodeDialogProps) {
  const { t } = useTranslation('coupons')
  const [code, setCode] = useState('')
  const [limits, setLimits] = useState<Limits>({ max: '', until: '' })
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('code.title')}
      confirmLabel={t('code.confirm')}
      doneMessage={t('code.done')}
      effect={t('code.effect')}
      isDisabled={code === ''}
      run={(quittance) =>
        quittance.promotionCodes.create({
          coupon_id: couponId,
          code,
          ...(limits.max !== '' && { max_redemptions: Number(limits.max) }),
          ...(limits.until !== '' && { redeem_until: limits.until }),
        })
      }
    >
      <TextInput
        label={t('code.label')}
        description={t('code.hint')}
        required
        maxLength={100}
        autoComplete="off"
        data-autofocus
        value={code}
        onChange={(event) => setCode(event.currentTarget.value.trim())}
      />
      <LimitFields value={limits} onChange={setLimits} />
    </ActionDialog>
  )
}

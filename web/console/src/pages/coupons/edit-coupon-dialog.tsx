import { NumberInput, TextInput } from '@mantine/core'
import type { Coupon } from 'quittance'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'

interface EditCouponDialogProps {
  readonly coupon: Coupon
  readonly onClose: () => void
}

/** An empty date leaves the time as it is; the limit of redemptions is removed with its number. */
export function EditCouponDialog({ coupon, onClose }: EditCouponDialogProps) {
  const { t } = useTranslation('coupons')
  const [name, setName] = useState(coupon.name)
  const [max, setMax] = useState<number | string>(coupon.max_redemptions ?? '')
  const [until, setUntil] = useState('')
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('edit.title')}
      confirmLabel={t('edit.confirm')}
      doneMessage={t('edit.done')}
      effect={t('edit.effect')}
      isDisabled={name.trim() === ''}
      run={(quittance) =>
        quittance.coupons.update(coupon.id, {
          name,
          max_redemptions: max === '' ? null : Number(max),
          ...(until !== '' && { redeem_until: until }),
        })
      }
    >
      <TextInput
        label={t('column.name')}
        required
        maxLength={255}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <NumberInput
        label={t('column.max_redemptions')}
        placeholder={t('no_limit')}
        allowDecimal={false}
        allowNegative={false}
        min={Math.max(1, coupon.redemptions)}
        value={max}
        onChange={setMax}
      />
      <TextInput
        label={t('column.redeem_until')}
        description={t('edit.until_hint')}
        type="date"
        value={until}
        onChange={(event) => setUntil(event.currentTarget.value)}
      />
    </ActionDialog>
  )
}

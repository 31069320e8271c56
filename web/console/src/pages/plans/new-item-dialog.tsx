import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ActionDialog } from '#components/action-dialog.tsx'
import { MoneyFields, useEnteredMoney } from '#components/money-fields.tsx'

interface NewItemDialogProps {
  readonly onClose: () => void
  readonly onDone: (id: string) => void
}

/** Items of the catalogue do not change, so that a new price is a new item. */
export function NewItemDialog({ onClose, onDone }: NewItemDialogProps) {
  const { t } = useTranslation('plans')
  const [label, setLabel] = useState('')
  const money = useEnteredMoney()
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('item.title')}
      confirmLabel={t('item.confirm')}
      isDisabled={label === '' || !money.isValid}
      effect={t('item.effect')}
      run={(quittance) =>
        quittance.recurringItems.create({ label, price: money.amount, currency: money.currency })
      }
      onDone={({ id }) => onDone(id)}
    >
      <TextInput
        label={t('item.label')}
        required
        maxLength={255}
        data-autofocus
        value={label}
        onChange={(event) => setLabel(event.currentTarget.value)}
      />
      <MoneyFields label={t('item.price')} money={money} />
    </ActionDialog>
  )
}

import { Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useShell } from '#app/shell-context.ts'
import { ActionDialog } from '#components/action-dialog.tsx'
import { AmountField, amountProblem } from '#components/amount-field.tsx'

interface NewItemDialogProps {
  readonly onClose: () => void
  readonly onDone: (id: string) => void
}

/** Items of the catalogue do not change, so that a new price is a new item. */
export function NewItemDialog({ onClose, onDone }: NewItemDialogProps) {
  const { t } = useTranslation('plans')
  const { quittance } = useApi()
  const [label, setLabel] = useState('')
  const [currency, setCurrency] = useState(useShell().membership.business.currency ?? 'HKD')
  const [price, setPrice] = useState('')
  const isCurrency = /^[A-Z]{3}$/.test(currency)
  return (
    <ActionDialog
      opened
      onClose={onClose}
      title={t('item.title')}
      confirmLabel={t('item.confirm')}
      isDisabled={label === '' || !isCurrency || amountProblem(price, currency) !== undefined}
      effect={t('item.effect')}
      run={({ idempotencyKey }) =>
        quittance.recurringItems.create({ label, price, currency }, { idempotencyKey })
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
      <Group grow align="flex-start">
        <AmountField
          label={t('item.price')}
          value={price}
          currency={isCurrency ? currency : ''}
          onChange={setPrice}
        />
        <TextInput
          label={t('item.currency')}
          required
          maxLength={3}
          value={currency}
          onChange={(event) => setCurrency(event.currentTarget.value.toUpperCase())}
        />
      </Group>
    </ActionDialog>
  )
}

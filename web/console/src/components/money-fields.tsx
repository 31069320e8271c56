import { Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { AmountField, amountProblem } from '#components/amount-field.tsx'
import { isCurrency, useEnteredCurrency } from '#components/main-currency.ts'

interface EnteredMoney {
  readonly amount: string
  readonly currency: string
  readonly isValid: boolean
  readonly setAmount: (amount: string) => void
  readonly setCurrency: (currency: string) => void
}

/** An amount that is being entered, at first in the main currency. */
export function useEnteredMoney(): EnteredMoney {
  const [currency, setCurrency] = useEnteredCurrency()
  const [amount, setAmount] = useState('')
  const isValid = isCurrency(currency) && amountProblem(amount, currency) === undefined
  return { amount, currency, isValid, setAmount, setCurrency }
}

export function MoneyFields({ label, money }: { readonly label: string; readonly money: EnteredMoney }) {
  const { t } = useTranslation('components')
  return (
    <Group grow align="flex-start">
      <AmountField
        label={label}
        value={money.amount}
        currency={isCurrency(money.currency) ? money.currency : ''}
        onChange={money.setAmount}
      />
      <TextInput
        label={t('amount.currency')}
        required
        maxLength={3}
        value={money.currency}
        onChange={(event) => money.setCurrency(event.currentTarget.value)}
      />
    </Group>
  )
}

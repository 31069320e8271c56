import { Text, TextInput } from '@mantine/core'
import { toMinorUnits } from 'quittance'
import { useTranslation } from 'react-i18next'
import { formatAmount } from '#components/money.tsx'

interface AmountFieldProps {
  readonly label: string
  readonly value: string
  readonly currency: string
  /** The largest amount allowed, as a decimal string. */
  readonly max?: string | undefined
  readonly isRequired?: boolean
  readonly description?: string
  readonly onChange: (value: string) => void
}

export type AmountProblem = 'missing' | 'comma' | 'form' | 'zero' | 'too_large'

/** Amounts stay decimal strings, and are compared as whole minor units. */
export function amountProblem(value: string, currency: string, max?: string): AmountProblem | undefined {
  if (value === '') return 'missing'
  try {
    const minor = toMinorUnits(value, currency)
    if (minor <= 0n) return 'zero'
    if (max !== undefined && minor > toMinorUnits(max, currency)) return 'too_large'
    return undefined
  } catch {
    return /^\d+,\d{1,2}$/.test(value) ? 'comma' : 'form'
  }
}

export function AmountField({
  label,
  value,
  currency,
  max,
  isRequired = true,
  description,
  onChange,
}: AmountFieldProps) {
  const { t, i18n } = useTranslation('components')
  const problem = amountProblem(value, currency, max)
  const shown = value !== '' && problem !== undefined
  return (
    <TextInput
      label={label}
      value={value}
      inputMode="decimal"
      autoComplete="off"
      required={isRequired}
      description={description}
      data-autofocus
      rightSectionWidth={52}
      rightSection={
        <Text size="xs" c="dimmed">
          {currency}
        </Text>
      }
      error={
        shown &&
        t(`amount.${problem}`, {
          currency,
          corrected: value.replace(',', '.'),
          max: max === undefined ? '' : formatAmount(max, currency, i18n.language),
        })
      }
      onFocus={(event) => event.currentTarget.select()}
      onChange={(event) => onChange(event.currentTarget.value.trim())}
    />
  )
}

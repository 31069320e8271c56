import { Text } from '@mantine/core'
import { fromMinorUnits, toMinorUnits } from 'quittance'
import { useTranslation } from 'react-i18next'
import classes from './money.module.css'

/** The decimals of the currency, such as "150.50" for "150.5". An amount of another kind of money stays as it is. */
function exactAmount(amount: string, currency: string): string {
  try {
    return fromMinorUnits(toMinorUnits(amount, currency), currency)
  } catch {
    return amount
  }
}

/** "1,250.50" by the rules of the language. The digits never pass through a floating-point number. */
export function formatAmount(amount: string, currency: string, language: string): string {
  const exact = exactAmount(amount, currency)
  if (!/^-?\d+(\.\d+)?$/.test(exact)) return exact
  const decimals = exact.split('.')[1]?.length ?? 0
  const format = new Intl.NumberFormat(language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  return format.format(exact as Intl.StringNumericLiteral)
}

interface MoneyProps {
  /** A decimal string of the API. */
  readonly amount: string | number | undefined
  readonly currency: string
  readonly size?: 'lg'
}

export function Money({ amount, currency, size }: MoneyProps) {
  const { i18n } = useTranslation()
  if (amount === undefined) return <>—</>
  return (
    <span className={classes.money} data-size={size}>
      {`${formatAmount(String(amount), currency, i18n.language)} `}
      <Text span c="dimmed" fz={size === 'lg' ? 'md' : 'xs'}>
        {currency}
      </Text>
    </span>
  )
}

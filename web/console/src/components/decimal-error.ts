import { useTranslation } from 'react-i18next'

/** What is wrong with a decimal number that was entered. An empty one is not wrong yet. */
export function useDecimalError(): (
  value: string,
  isValid: boolean,
  otherwise?: string,
) => string | undefined {
  const { t } = useTranslation('components')
  return (value, isValid, otherwise = t('amount.number')) => {
    if (value === '' || isValid) return undefined
    return /^\d+,\d+$/.test(value) ? t('amount.comma', { corrected: value.replace(',', '.') }) : otherwise
  }
}

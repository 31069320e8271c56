import { useTranslation } from 'react-i18next'
import { formatAmount } from '#components/money.tsx'

interface Told {
  readonly amount?: string | null | undefined
  readonly currency?: string | null | undefined
  readonly type?: string | undefined
  readonly acquirer?: string | undefined
}

/** The sentence of an entry in the language of the page. Undefined where the API's own, English one is to be shown. */
export function useTimelineText(area: 'past' | 'next', kind: string, told: Told): string | undefined {
  const { t, i18n } = useTranslation('timeline')
  const key = `${area}.${kind}`
  if (i18n.language.startsWith('en') || !i18n.exists(key, { ns: 'timeline' })) return undefined
  const { amount, currency, type, acquirer } = told
  const isMoney = typeof amount === 'string' && typeof currency === 'string'
  return t(key, {
    amount: isMoney ? `${formatAmount(amount.replace(/^-/, ''), currency, i18n.language)} ${currency}` : '',
    what: type === undefined ? '' : t(`type.${type}`),
    acquirer: acquirer ?? '',
  })
}

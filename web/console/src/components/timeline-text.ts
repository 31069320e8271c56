import type { Schemas } from 'quittance'
import { useTranslation } from 'react-i18next'
import { useTimeZone } from '#app/shell-context.ts'
import { formatAmount } from '#components/money.tsx'
import { formatTime } from '#components/time.tsx'

type PastEntry = Schemas['PastEntry']
type NextEntry = Schemas['NextEntry']

/** The texts of an area in the language of the page. Undefined where the API's own, English ones are to be shown. */
function useTexts() {
  const { t, i18n } = useTranslation('timeline')
  const zone = useTimeZone()
  const isTranslated = (key: string) =>
    !i18n.language.startsWith('en') && i18n.exists(key, { ns: 'timeline' })
  const money = (amount: string | null | undefined, currency: string | null | undefined) =>
    typeof amount === 'string' && typeof currency === 'string'
      ? `${formatAmount(amount.replace(/^-/, ''), currency, i18n.language)} ${currency}`
      : ''
  const time = (at: string | undefined) => (at === undefined ? '' : formatTime(at, i18n.language, zone))
  return { t, isTranslated, money, time }
}

export function usePastText({ kind, acquirer, details }: PastEntry): string | undefined {
  const { t, isTranslated, money } = useTexts()
  const { amount, currency, transaction_type: type, cause, message, document_number: number } = details
  const { billed, billed_before: before } = details
  const change = billed === undefined ? '' : before === undefined ? '_to' : '_between'
  const plain = cause === undefined ? `past.${kind}${change}` : `past.transaction.${cause}`
  const isExplained = message !== undefined && isTranslated(`${plain}_because`)
  const key = isExplained ? `${plain}_because` : plain
  if (!isTranslated(key)) return undefined
  return t(key, {
    amount: money(amount, currency),
    number,
    what: type === undefined ? '' : t(`type.${type}`),
    acquirer: acquirer?.name ?? '',
    message,
    billed,
    before,
  })
}

/** What will happen, and why. */
export function useNextText(entry: NextEntry): { text: string; reason: string } {
  const { t, isTranslated, money, time } = useTexts()
  const key = `next.${entry.reason_code}`
  if (!isTranslated(`${key}.text`)) return entry
  const {
    operation,
    inquiry,
    decidable_at,
    voids_at,
    period,
    periods_total,
    document_number: number,
  } = entry.details
  const values = {
    amount: money(entry.amount, entry.currency),
    attempt: entry.attempt,
    attempts: entry.attempts_total,
    operation: operation === undefined ? '' : t(`operation.${operation}`),
    inquiry,
    number,
    decidable: time(decidable_at),
    voids: time(voids_at),
    period,
    periods: periods_total,
  }
  return { text: t(`${key}.text`, values), reason: t(`${key}.reason`, values) }
}

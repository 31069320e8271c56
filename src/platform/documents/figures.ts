import type { Money } from '#kernel/money'
import { dateFormat } from './date-format.ts'
import { amountText, groupedText } from './money-text.ts'

/** How documents of a language write dates and amounts. Dates are local ones, YYYY-MM-DD. */
export interface Figures {
  readonly date: (date: string) => string
  /** @param number a plain decimal without a sign */
  readonly number: (number: string) => string
  readonly amount: (money: Money) => string
  readonly money: (money: Money) => string
}

const DATE = { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' } as const
/** Digits are Western everywhere, as those of the API. */
const MONEY = {
  numberingSystem: 'latn',
  style: 'currency',
  currency: 'EUR',
  currencyDisplay: 'code',
} as const

/** @param locale BCP 47 */
export function figuresOf(locale: string): Figures {
  const tag = new Intl.Locale(locale).baseName
  const dates = dateFormat(tag, DATE)
  const parts = new Intl.NumberFormat(tag, { ...MONEY, useGrouping: 'always' }).formatToParts(12345.67)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  const separators: Readonly<Record<string, string>> = {
    ',': part('group').replace(/\s/, '\u00a0'),
    '.': part('decimal'),
  }
  const isCurrencyFirst = parts.findIndex(({ type }) => type === 'currency') === 0
  const localized = (text: string) => text.replace(/[.,]/g, (sign) => separators[sign] ?? sign)
  const amount = (money: Money) => localized(amountText(money))
  return {
    date: (date) => dates.format(Temporal.Instant.from(`${date}T00:00:00Z`).epochMilliseconds),
    number: (number) => localized(groupedText(number)),
    amount,
    money: (money) =>
      isCurrencyFirst ? `${money.currency}\u00a0${amount(money)}` : `${amount(money)}\u00a0${money.currency}`,
  }
}

import type { Instant } from '#kernel/clock'
import { directionOfLanguage } from '#kernel/language-tags'
import { memoize } from '#kernel/memoize'
import type { Money } from '#kernel/money'
import type { TimeZone } from '#kernel/time-zone'
import { dateFormat } from './date-format.ts'

/** How messages and pages write dates and amounts for a payer, as the payer's language does. Documents have `Figures`. */
export interface PayerFigures {
  readonly date: (day: Temporal.PlainDate | string) => string
  readonly dateAt: (at: Instant, timeZone: TimeZone) => string
  readonly moment: (at: Instant, timeZone: TimeZone) => string
  readonly money: (money: Money) => string
}

/**
 * Digits are those of the attached documents, also in Arabic. A billing run writes a hundred thousand receipts, and a format of
 * Intl takes longer to make than the rest of a message.
 */
export const payerFiguresOf = memoize((language: string): PayerFigures => {
  const locale = `${language}-u-nu-latn`
  // Temporal objects themselves would be shown as 2027/6/15 in Chinese and Japanese.
  const dates = dateFormat(language, { dateStyle: 'long', timeZone: 'UTC' })
  const datesIn = memoize((timeZone: TimeZone) => dateFormat(language, { dateStyle: 'long', timeZone }))
  const momentsIn = memoize((timeZone: TimeZone) =>
    dateFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone }),
  )
  const amounts = memoize((currency: string) => amountFormat(locale, currency))
  return {
    date: (day) => dates.format(Temporal.PlainDate.from(day).toZonedDateTime('UTC').epochMilliseconds),
    dateAt: ({ epochMilliseconds }, timeZone) => datesIn(timeZone).format(epochMilliseconds),
    moment: ({ epochMilliseconds }, timeZone) => momentsIn(timeZone).format(epochMilliseconds),
    money: (money) => amounts(money.currency)(money.toString()),
  }
})

/** For pages: in a text from right to left, the symbol of the currency would stand on either side of the number. */
export function moneyOnPage(language: string, money: Money): string {
  const text = payerFiguresOf(language).money(money)
  return directionOfLanguage(language) === 'rtl' ? `\u2066${text}\u2069` : text
}

/** Amounts have the decimals of our currencies, which are not those of Intl everywhere. */
function amountFormat(locale: string, currency: string): (amount: string) => string {
  const format = memoize(
    (digits: number) =>
      new Intl.NumberFormat(locale, {
        style: 'currency',
        currency,
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  )
  return (amount) => {
    const digits = amount.split('.')[1]?.length ?? 0
    // Arabic amounts begin with a mark that would show the same amount in two ways.
    return format(digits)
      .format(amount as Intl.StringNumericLiteral)
      .replace(/\p{Bidi_Control}/gu, '')
  }
}

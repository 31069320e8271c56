import { cardBrandName } from '#kernel/card-brands'
import type { Money } from '#kernel/money'
import type { Instant } from '#kernel/clock'
import type { TimeZone } from '#kernel/time-zone'
import { memoize } from '#kernel/memoize'
import { type MessageWords, wordsOf } from './words.ts'
import { fill } from './placeholders.ts'

/** Values of messages as their reader writes them. Digits are those of the attached documents, also in Arabic. */
export interface Phrases {
  readonly date: (day: Temporal.PlainDate | string) => string
  readonly moment: (at: Instant, timeZone: TimeZone) => string
  readonly money: (money: Money) => string
  /** Why a payment was declined. A card that was reported lost or stolen is shown as any other decline. */
  readonly decline: (code: string | null) => string
  /** How something was paid, for example "Visa •••• 4242". */
  readonly method: (method: string, card?: { readonly brand: string; readonly last4: string }) => string
  /** A line's label, translated if it is one that billing gives. */
  readonly lineLabel: (label: string | null, purchasableType: string) => string
}

/** A billing run writes a hundred thousand receipts, and a format of Intl takes longer to make than the rest of a message. */
export const phrasesOf = memoize((language: string): Phrases => {
  const words = wordsOf(language)
  const locale = `${language}-u-nu-latn`
  // A PlainDate itself would be shown as 2027/6/15 in Chinese and Japanese.
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' })
  const amounts = memoize((currency: string) => amountFormat(locale, currency))
  return {
    date: (day) => dates.format(Temporal.PlainDate.from(day).toZonedDateTime('UTC').epochMilliseconds),
    moment: (at, timeZone) => at.toLocaleString(locale, { dateStyle: 'long', timeStyle: 'short', timeZone }),
    money: (money) => amounts(money.currency)(money.toString()),
    decline: (code) => words.declines[code ?? ''] ?? words.declines['card_declined'] ?? '',
    method: (method, card) =>
      card === undefined
        ? methodText(words, method)
        : `${cardBrandName(card.brand) ?? card.brand} •••• ${card.last4}`,
    lineLabel: (label, purchasableType) => lineLabel(words, label, purchasableType),
  }
})

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

function methodText(words: MessageWords, method: string): string {
  switch (method) {
    case 'bank_transfer':
    case 'cash':
    case 'cheque':
    case 'other':
      return words.methods[method]
    default:
      return words.methods.card
  }
}

/** The labels that billing gives in English (`LABELS` of the module plans). */
const LABELS: Readonly<Record<string, keyof MessageWords['lines']>> = {
  Proration: 'proration',
  Discount: 'discount',
  Credit: 'credit',
  'To credit': 'to_credit',
  Tax: 'tax',
}

const TYPES: Readonly<Record<string, keyof MessageWords['lines']>> = {
  RearTips: 'tips',
  Rounding: 'rounding',
  SurchargeFee: 'surcharge',
}

function lineLabel(words: MessageWords, label: string | null, purchasableType: string): string {
  if (label === null || label === '') return words.lines[TYPES[purchasableType] ?? 'item']
  const known = LABELS[label]
  return known === undefined ? label : words.lines[known]
}

/** A label with its value, as they stand on one line of the language. */
export function pairText(words: MessageWords, label: string, value: string): string {
  return fill(words.pair, { label, value })
}

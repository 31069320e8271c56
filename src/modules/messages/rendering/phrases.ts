import { cardBrandName } from '#kernel/card-brands'
import { memoize } from '#kernel/memoize'
import { type PayerFigures, payerFiguresOf } from '#platform/documents/payer-figures'
import { type MessageWords, wordsOf } from './words.ts'
import { fill } from './placeholders.ts'

/** Values of messages as their reader writes them. */
export interface Phrases extends PayerFigures {
  /** Why a payment was declined. A card that was reported lost or stolen is shown as any other decline. */
  readonly decline: (code: string | null) => string
  /** How something was paid, for example "Visa •••• 4242". */
  readonly method: (method: string, card?: { readonly brand: string; readonly last4: string }) => string
  /** A line's label, translated if it is one that billing gives. */
  readonly lineLabel: (label: string | null, purchasableType: string) => string
}

export const phrasesOf = memoize((language: string): Phrases => {
  const words = wordsOf(language)
  return {
    ...payerFiguresOf(language),
    decline: (code) => words.declines[code ?? ''] ?? words.declines['card_declined'] ?? '',
    method: (method, card) =>
      card === undefined
        ? methodText(words, method)
        : `${cardBrandName(card.brand) ?? card.brand} •••• ${card.last4}`,
    lineLabel: (label, purchasableType) => lineLabel(words, label, purchasableType),
  }
})

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

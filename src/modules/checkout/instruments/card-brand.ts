import { cardBrandName } from '#kernel/card-brands'
import { html, type Html } from '#platform/http/html'
import type { Words } from '../words/words.ts'

export function brandName(brand: string, words: Words): string {
  return cardBrandName(brand) ?? words.card
}

const BRAND_MARKS: Readonly<Record<string, string>> = {
  visa: 'VISA',
  mastercard: 'MC',
  amex: 'AMEX',
  discover: 'DISC',
  diners: 'DINERS',
  jcb: 'JCB',
  unionpay: 'UP',
}

export function brandMark(brand: string): Html {
  const mark = BRAND_MARKS[brand]
  return html`<span class="brand-mark" data-brand="${mark === undefined ? '' : brand}" aria-hidden="true"
    >${mark}</span
  >`
}

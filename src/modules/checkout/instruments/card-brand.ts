import type { Words } from '../words/words.ts'

const BRAND_NAMES: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  discover: 'Discover',
  diners: 'Diners Club',
  jcb: 'JCB',
  unionpay: 'UnionPay',
}

export function brandName(brand: string, words: Words): string {
  return BRAND_NAMES[brand] ?? words.card
}

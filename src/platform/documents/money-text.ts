import type { Money } from '#kernel/money'

/** For sentences, as the console writes amounts: "9,077.44 EUR". */
export function moneyInSentence(money: Money): string {
  return `${amountText(money)} ${money.currency}`
}

export function amountText(money: Money): string {
  const sign = money.isNegative() ? '\u2212' : ''
  return sign + groupedText(money.abs().toString())
}

/** @param number without a sign */
export function groupedText(number: string): string {
  const [whole = '', fraction] = number.split('.')
  const first = whole.length % 3
  const groups = [whole.slice(0, first), ...(whole.slice(first).match(/\d{3}/g) ?? [])]
  const grouped = groups.filter((group) => group !== '').join(',')
  return grouped + (fraction === undefined ? '' : `.${fraction}`)
}

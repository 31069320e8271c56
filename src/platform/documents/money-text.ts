import type { Money } from '#kernel/money'

export function moneyText(money: Money): string {
  return `${money.currency}\u00a0${amountText(money)}`
}

export function amountText(money: Money): string {
  const sign = money.isNegative() ? '\u2212' : ''
  return sign + groupedText(money.abs().toString())
}

/** @param number without a sign */
export function groupedText(number: string): string {
  const [whole = '', fraction] = number.split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  return grouped + (fraction === undefined ? '' : `.${fraction}`)
}

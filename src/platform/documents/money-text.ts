import type { Money } from '#kernel/money'

export function moneyText(money: Money): string {
  return `${money.currency}\u00a0${amountText(money)}`
}

export function amountText(money: Money): string {
  const [whole = '', fraction] = money.abs().toString().split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  const sign = money.isNegative() ? '\u2212' : ''
  return sign + grouped + (fraction === undefined ? '' : `.${fraction}`)
}

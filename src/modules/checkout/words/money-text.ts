import type { Money } from '#kernel/money'

/** "HKD 1,234.50": the code and not a sign, since `$` is the sign of twenty currencies. */
export function moneyText(money: Money): string {
  return `${money.currency}\u00a0${amountText(money)}`
}

/** "1,234.50", with a minus sign (U+2212) where it is negative. */
export function amountText(money: Money): string {
  const [whole = '', fraction] = money.abs().toString().split('.')
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',')
  const sign = money.isNegative() ? '\u2212' : ''
  return sign + grouped + (fraction === undefined ? '' : `.${fraction}`)
}

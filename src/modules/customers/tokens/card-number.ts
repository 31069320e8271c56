const BRANDS: ReadonlyArray<readonly [from: number, to: number, brand: string]> = [
  [340000, 349999, 'amex'],
  [370000, 379999, 'amex'],
  [300000, 305999, 'diners'],
  [309500, 309599, 'diners'],
  [360000, 369999, 'diners'],
  [380000, 399999, 'diners'],
  [352800, 358999, 'jcb'],
  [400000, 499999, 'visa'],
  [222100, 272099, 'mastercard'],
  [510000, 559999, 'mastercard'],
  [601100, 601199, 'discover'],
  [644000, 659999, 'discover'],
  [620000, 629999, 'unionpay'],
  [810000, 819999, 'unionpay'],
]

export function brandOf(number: string): string {
  const first6 = Number(number.slice(0, 6))
  return BRANDS.find(([from, to]) => first6 >= from && first6 <= to)?.[2] ?? 'unknown'
}

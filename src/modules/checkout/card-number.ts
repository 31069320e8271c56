/** What a card number says of itself. Pure; a number never leaves these functions in an error. */

/** Luhn's check digit over a text of digits. */
export function passesLuhn(number: string): boolean {
  let sum = 0
  let doubles = number.length % 2 === 0
  for (const digit of number) {
    const value = Number(digit) * (doubles ? 2 : 1)
    sum += value > 9 ? value - 9 : value
    doubles = !doubles
  }
  return sum % 10 === 0
}

/** Beginnings of numbers; the first that fits names the scheme. UnionPay has a part of Discover's 62. */
const BRANDS: ReadonlyArray<readonly [beginning: RegExp, brand: string]> = [
  [/^3[47]/, 'amex'],
  [/^3(?:0[0-5]|095|6|[89])/, 'diners'],
  [/^35(?:2[89]|[3-8])/, 'jcb'],
  [/^4/, 'visa'],
  [/^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'mastercard'],
  [/^(?:6011|64[4-9]|65)/, 'discover'],
  [/^(?:62|81)/, 'unionpay'],
]

/** visa, mastercard, amex, discover, diners, jcb, unionpay; `unknown` for any other. */
export function brandOf(number: string): string {
  return BRANDS.find(([beginning]) => beginning.test(number))?.[1] ?? 'unknown'
}

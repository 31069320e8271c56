const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/**
 * The value is `±digits × 10^exponent`. `digits` has no zero at either end, so two texts of one value have
 * the same parts. Zero has no digits and exponent 0. `exponent` may be infinite: compare it before computing with it.
 */
export interface NumberParts {
  readonly negative: boolean
  readonly digits: string
  readonly exponent: number
}

export function readNumber(text: string): NumberParts | undefined {
  const match = NUMBER.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  const all = whole + fraction
  // `replace(/0+$/, '')` is quadratic in a long run of zeros that is not at the end.
  let start = 0
  while (all[start] === '0') start++
  let end = all.length
  while (end > start && all[end - 1] === '0') end--
  const digits = all.slice(start, end)
  return {
    negative: sign === '-',
    digits,
    exponent: digits === '' ? 0 : Number(exponent) - fraction.length + (all.length - end),
  }
}

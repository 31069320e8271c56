import { expect, test } from 'vitest'
import { readNumber } from './number-text.ts'

test('two texts of one number have the same parts', () => {
  for (const text of ['120', '120.0', '1.2e2', '0012e1', '1200e-1', '0.00120E+5']) {
    expect(readNumber(text), text).toEqual({ negative: false, digits: '12', exponent: 1 })
  }
})

test('a text that is not a decimal number is refused', () => {
  for (const text of [
    '',
    '-',
    '+1',
    '.5',
    '5.',
    '1e',
    '0x10',
    '1_000',
    ' 1',
    '1 ',
    'NaN',
    'Infinity',
    '１',
  ]) {
    expect(readNumber(text), text).toBeUndefined()
  }
})

test('a number of a million digits is read in linear time', () => {
  const zeros = '0'.repeat(1_000_000)
  expect(readNumber(`1.${zeros}1`)?.digits.length).toBe(1_000_002)
  expect(readNumber(`${zeros}.${zeros}e${'9'.repeat(1000)}`)).toEqual({
    negative: false,
    digits: '',
    exponent: 0,
  })
})

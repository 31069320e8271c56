import fc from 'fast-check'
import { expect, test } from 'vitest'
import { maskNumber, passesLuhn, withCheckDigit } from './card-number.ts'

test('exactly one check digit is valid, and a changed digit is always detected', () => {
  expect(['4242424242424242', '378282246310005', '6205500000000000004'].filter(passesLuhn)).toHaveLength(3)
  const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 11, maxLength: 18 })
  fc.assert(
    fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (list, at, by) => {
      const payload = list.join('')
      const number = withCheckDigit(payload)
      expect(Array.from({ length: 10 }, (_, check) => payload + check).filter(passesLuhn)).toEqual([number])
      const index = at % number.length
      const changed = [...number]
        .map((digit, i) => (i === index ? (Number(digit) + by) % 10 : digit))
        .join('')
      expect(passesLuhn(changed)).toBe(false)
    }),
  )
})

// Proves reference/customers#card-numbers.
test('a masked number has the length of the number and shows ten of its digits', () => {
  expect(maskNumber('424242', '4242', 16)).toBe('424242******4242')
  expect(maskNumber('378282', '0005', 15)).toBe('378282*****0005')
})

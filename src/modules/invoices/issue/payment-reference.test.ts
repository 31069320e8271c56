import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paymentReferenceOf } from './payment-reference.ts'

// Proves reference/billing-invoices#payment-reference.

/** Whether the check digits are right by ISO 7064, MOD 97-10. */
function isValid(reference: string): boolean {
  const digits = [...reference.slice(4), ...reference.slice(0, 4)].map((one) => Number.parseInt(one, 36))
  return BigInt(digits.join('')) % 97n === 1n
}

test('every reference is valid, and no longer so with one wrong character', () => {
  // The example of ISO 11649.
  expect([isValid('RF18539007547034'), isValid('RF19539007547034')]).toEqual([true, false])
  fc.assert(
    fc.property(fc.string(), fc.nat(13), fc.nat(8), (id, position, shift) => {
      const reference = paymentReferenceOf(id)
      expect(reference).toMatch(/^RF[0-9]{2}[0-9A-Z]{12}$/)
      expect(isValid(reference)).toBe(true)
      const index = position + 2
      const digit = Number.parseInt(reference.charAt(index), 36)
      const other = digit > 9 ? ((digit - 10 + shift + 1) % 26) + 10 : (digit + shift + 1) % 10
      const wrong = reference.slice(0, index) + other.toString(36).toUpperCase() + reference.slice(index + 1)
      expect(isValid(wrong)).toBe(wrong === reference)
    }),
  )
})

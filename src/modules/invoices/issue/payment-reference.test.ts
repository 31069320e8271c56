import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPaymentReference, paymentReferenceOf } from './payment-reference.ts'

// Proves reference/billing-invoices#payment-reference.

test("the standard's own example is valid, with blanks and in small letters, too", () => {
  expect(isPaymentReference('RF18539007547034')).toBe(true)
  expect(isPaymentReference('rf18 5390 0754 7034')).toBe(true)
  expect(isPaymentReference('RF19539007547034')).toBe(false)
})

test('every reference is valid, and no longer so with one wrong character', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(13), fc.nat(8), (id, position, shift) => {
      const reference = paymentReferenceOf(id)
      expect(reference).toMatch(/^RF[0-9]{2}[0-9A-Z]{12}$/)
      expect(isPaymentReference(reference)).toBe(true)
      const index = position + 2
      const digit = Number.parseInt(reference.charAt(index), 36)
      const other = digit > 9 ? ((digit - 10 + shift + 1) % 26) + 10 : (digit + shift + 1) % 10
      const wrong = reference.slice(0, index) + other.toString(36).toUpperCase() + reference.slice(index + 1)
      expect(isPaymentReference(wrong)).toBe(wrong === reference)
    }),
  )
})

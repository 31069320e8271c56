import { expect, test } from 'vitest'
import { passesLuhn } from '#kernel/card-number'
import { isTestCard, testCard, testCardNumbers } from './test-cards.ts'

// Proves reference/sandbox#test-cards.
test.each(testCardNumbers())('test card %s passes the Luhn check', (number) => {
  expect(passesLuhn(number)).toBe(true)
})

test('test cards have unique names, because the books identify them by name', () => {
  const names = testCardNumbers().map((number) => testCard(number)?.name)
  expect(new Set(names).size).toBe(names.length)
})

test('a number outside the table is not a test card, even if it passes the Luhn check', () => {
  expect(isTestCard('4539578763621486')).toBe(false)
  expect(isTestCard('4242424242424242')).toBe(true)
})

import { expect, test } from 'vitest'
import { passesLuhn } from '#kernel/card-number'
import { isTestCard, testCard, testCardNumbers } from './test-cards.ts'

test.each(testCardNumbers())('test card %s passes the Luhn check that bindings make', (number) => {
  expect(passesLuhn(number)).toBe(true)
})

test('no two test cards share a name, since the books know them by it', () => {
  const names = testCardNumbers().map((number) => testCard(number)?.name)
  expect(new Set(names).size).toBe(names.length)
})

test('a number outside the table is no test card, even when it passes the Luhn check', () => {
  expect(isTestCard('4539578763621486')).toBe(false)
  expect(isTestCard('4242424242424242')).toBe(true)
})

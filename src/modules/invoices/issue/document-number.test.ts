import { expect, test } from 'vitest'
import { documentNumber, sequenceYear } from './document-number.ts'

// Proves reference/billing-invoices#numbers.
const date = Temporal.PlainDate.from('2027-03-09')

test('a number fills in the year, the month and a sequence of at least so many digits', () => {
  expect(documentNumber('INV-{YYYY}-{SEQ:6}', 1n, date)).toBe('INV-2027-000001')
  expect(documentNumber('{YY}{MM}/{SEQ:2}-A', 123n, date)).toBe('2703/123-A')
  expect(documentNumber('R{SEQ:1}', 7n, date)).toBe('R7')
})

test('a sequence belongs to a year only where the format has one, and never to a month', () => {
  expect(sequenceYear('INV-{YYYY}-{SEQ:6}', date)).toBe(2027)
  expect(sequenceYear('{YY}-{SEQ:6}', date)).toBe(2027)
  expect(sequenceYear('{MM}-{SEQ:6}', date)).toBe(0)
})

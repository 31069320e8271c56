import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { figuresOf } from './figures.ts'

test.each([
  ['en', '7 Feb 2027', 'EUR 1,234,567.50'],
  ['en-US', 'Feb 7, 2027', 'EUR 1,234,567.50'],
  ['de', '7. Feb. 2027', '1.234.567,50 EUR'],
  ['fr', '7 févr. 2027', '1 234 567,50 EUR'],
  ['nl', '7 feb 2027', 'EUR 1.234.567,50'],
  ['ja', '2027年2月7日', 'EUR 1,234,567.50'],
  ['ko', '2027년 2월 7일', 'EUR 1,234,567.50'],
  ['th', '7 ก.พ. 2570', 'EUR 1,234,567.50'],
  ['ar-EG', '7 فبراير 2027', '1,234,567.50 EUR'],
])('%s writes %s and %s', (locale, date, money) => {
  const figures = figuresOf(locale)
  expect(figures.date('2027-02-07')).toBe(date)
  expect(figures.money(Money.ofDecimal('EUR', '1234567.50')).replaceAll('\u00a0', ' ')).toBe(money)
})

test('amounts keep all of their digits, and a minus is one of print', () => {
  const { amount, number } = figuresOf('de')
  expect(amount(Money.ofDecimal('EUR', '-123456789012345.91'))).toBe('\u2212123.456.789.012.345,91')
  expect(number('0.000125')).toBe('0,000125')
})

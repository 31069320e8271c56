import { expect, test } from 'vitest'
import { Money } from '#kernel/money'
import { figuresOf } from './figures.ts'
import { moneyOnPage, payerFiguresOf } from './payer-figures.ts'

test.each([
  ['en', '15 June 2027', '-€1,234.50', '¥500'],
  ['de', '15. Juni 2027', '-1.234,50 €', '500 ¥'],
  ['fr', '15 juin 2027', '-1 234,50 €', '500 JPY'],
  ['th', '15 มิถุนายน 2570', '-€1,234.50', '¥500'],
  ['ja', '2027年6月15日', '-€1,234.50', '￥500'],
  ['zh-Hans', '2027年6月15日', '-€1,234.50', 'JP¥500'],
  ['zh-Hant', '2027年6月15日', '-€1,234.50', '¥500'],
])('messages and pages in %s write %s, %s and %s', (language, date, euros, yen) => {
  const { date: written, dateAt, moment, money } = payerFiguresOf(language)
  expect(written('2027-06-15')).toBe(date)
  const [at, zone] = [Temporal.Instant.from('2027-06-14T18:30:00Z'), 'Asia/Hong_Kong']
  expect(dateAt(at, zone)).toBe(date)
  expect(moment(at, zone)).toContain(date)
  const shown = [Money.ofDecimal('EUR', '-1234.50'), Money.ofDecimal('JPY', '500')].map(money)
  expect(shown.map((text) => text.replace(/\s/g, ' '))).toEqual([euros, yen])
})

// Proves reference/pages#dates.
test.each([
  'ar',
  'ar-SA',
  'de',
  'en',
  'en-US',
  'fa',
  'ja',
  'my',
  'th',
  'th-TH-u-nu-thai',
  'zh-Hant',
  'zh-TW',
])('mails, pages and documents in %s write the same day and year in Western digits', (language) => {
  const { date, dateAt, moment } = payerFiguresOf(language)
  const [at, zone] = [Temporal.Instant.from('2027-06-14T18:30:00Z'), 'Asia/Hong_Kong']
  const year = language.startsWith('th') ? '2570' : '2027'
  const written = [
    date('2027-06-15'),
    dateAt(at, zone),
    moment(at, zone),
    figuresOf(language).date('2027-06-15'),
  ]
  for (const text of written) {
    expect(text.match(/\d+/g), text).toEqual(expect.arrayContaining([year, '15']))
    expect(text.replaceAll(/[0-9]/g, ''), text).not.toMatch(/\p{Nd}/u)
  }
})

test('an amount on a page from right to left stands in an isolate of its own', () => {
  expect(moneyOnPage('ar', Money.ofDecimal('HKD', '10.00')).replace(/\s/, ' ')).toBe('\u206610.00 HK$\u2069')
  expect(moneyOnPage('en', Money.ofDecimal('HKD', '10.00'))).toBe('HK$10.00')
})

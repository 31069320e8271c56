import { expect, test } from 'vitest'
import { wordsOf } from '../../words/all-words.ts'
import { LANGUAGES } from '../../words/language.ts'
import { timeLeftToPay } from './time-left.ts'

const END = { endsAt: Temporal.Instant.from('2026-11-27T06:05:00Z'), timeZone: 'Asia/Hong_Kong' }
const DAY = 86_400

function textOf(seconds: number, language: string): string {
  const { text } = timeLeftToPay({ ...END, seconds }, wordsOf(language), language)
  return text
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

// Proves reference/pages#time-left.
test.each([
  ['en', 'Time left to pay: 2 days, 3 hours, until 27 November 2026 at 14:05 GMT+8'],
  ['de', 'Verbleibende Zeit zum Bezahlen: 2 Tage, 3 Stunden, bis zum 27. November 2026 um 14:05 GMT+8'],
  ['ja', 'お支払いの残り時間：2 日 3 時間（2026年11月27日 14:05 GMT+8まで）'],
  ['th', 'เวลาที่เหลือในการชำระเงิน: 2 วัน และ 3 ชั่วโมง จนถึง 27 พฤศจิกายน 2569 เวลา 14:05 GMT+8'],
])('before the last day the page says in %s what is left and when it ends', (language, text) => {
  expect(textOf(2 * DAY + 3 * 3_600 + 1_799, language)).toBe(text)
})

test('every language says both, and counts down in the last day', () => {
  for (const language of LANGUAGES) {
    const long = textOf(12 * DAY, language)
    expect(long, language).toMatch(/12.*14[.:]05|12.*0?2:05/)
    expect(long, language).not.toMatch(/[{}]/)
    expect(textOf(DAY, language), language).toContain('24:00:00')
  }
})

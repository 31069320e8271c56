import { expect, test } from 'vitest'
import { rangeBefore, readDateRange } from './date-range.ts'

// Proves reference/reports#ranges.

const date = (text: string) => Temporal.PlainDate.from(text)
const shown = ({ from, to }: ReturnType<typeof rangeBefore>) => `${from.toString()} ${to.toString()}`

test.each([
  ['a month', '2027-03-01', '2027-03-31', '2027-02-01 2027-02-28'],
  ['a short month', '2027-02-01', '2027-02-28', '2027-01-01 2027-01-31'],
  ['February of a leap year', '2028-03-01', '2028-03-31', '2028-02-01 2028-02-29'],
  ['two months', '2027-03-01', '2027-04-30', '2027-01-01 2027-02-28'],
  ['a quarter', '2027-01-01', '2027-03-31', '2026-10-01 2026-12-31'],
  ['a year', '2027-01-01', '2027-12-31', '2026-01-01 2026-12-31'],
  ['two years', '2026-01-01', '2027-12-31', '2024-01-01 2025-12-31'],
  ['a month to date', '2027-03-01', '2027-03-15', '2027-02-01 2027-02-15'],
  ['a month to a date that the month before lacks', '2027-03-01', '2027-03-30', '2027-02-01 2027-02-28'],
  ['the first day of a month', '2027-03-01', '2027-03-01', '2027-02-01 2027-02-01'],
  ['a quarter to date', '2027-04-01', '2027-05-20', '2027-01-01 2027-02-20'],
  ['a year to date', '2027-01-01', '2027-05-20', '2026-01-01 2026-05-20'],
  ['a week', '2027-03-08', '2027-03-14', '2027-03-01 2027-03-07'],
  ['a range over the end of a month', '2027-02-10', '2027-03-09', '2027-01-13 2027-02-09'],
  [
    'one that begins with a month and ends within another',
    '2027-02-01',
    '2027-03-09',
    '2026-12-26 2027-01-31',
  ],
])('%s is compared with that before it', (_, from, to, before) => {
  expect(shown(rangeBefore({ from: date(from), to: date(to) }))).toBe(before)
})

test.each([
  ['this_month', '2027-03-31', '2027-02-01 2027-02-28'],
  ['last_month', '2027-03-31', '2027-01-01 2027-01-31'],
  ['this_year', '2027-01-20', '2026-01-01 2026-01-20'],
  ['this_year', '2027-03-31', '2026-01-01 2026-03-31'],
  ['this_year', '2028-02-29', '2027-01-01 2027-02-28'],
  ['last_year', '2027-03-31', '2025-01-01 2025-12-31'],
  ['today', '2027-03-01', '2027-02-28 2027-02-28'],
  ['last_7_days', '2027-03-07', '2027-02-22 2027-02-28'],
  ['last_30_days', '2027-04-30', '2027-03-02 2027-03-31'],
] as const)('%s on %s is compared with %s', (period, today, before) => {
  expect(shown(rangeBefore(readDateRange({ period }, date(today)), period))).toBe(before)
})

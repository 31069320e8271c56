import { expect, test } from 'vitest'
import { formatNumber, formatProblem, numbersByYear } from './number-format.ts'

const PARTS = { year: 2027, month: 3, seq: 42 }

// Proves reference/billing-tax#series.
test('a format has one sequence, any of the year and the month and no control characters, and numbers longer than its width stay whole', () => {
  expect(formatNumber('INV-{YYYY}-{SEQ:6}', PARTS)).toBe('INV-2027-000042')
  expect(formatNumber('{YY}{MM}/{SEQ:1}', PARTS)).toBe('2703/42')
  expect(formatNumber('A-{SEQ:3}', { ...PARTS, seq: 123_456 })).toBe('A-123456')
  for (const format of ['INV-{YYYY}-{SEQ:6}', '{SEQ:1}', 'R{MM}{YY}-{SEQ:12}-{YYYY}']) {
    expect(formatProblem(format)).toBeUndefined()
  }
  for (const format of [
    'INV',
    '{SEQ}',
    '{SEQ:0}',
    '{SEQ:6}{SEQ:6}',
    '{DD}{SEQ:4}',
    '{seq:4}',
    '{SEQ:4',
    '}{SEQ:4}',
    ...['\n', '\r', '\t', '\u0000', '\u007f', '\u0085', '\u2028', '\u2029'].map(
      (control) => `INV${control}{SEQ:4}`,
    ),
    ...['\u061c', '\u200e', '\u200f', '\u202a', '\u202e', '\u2066', '\u2069'].map((bidi) => `{SEQ:4}${bidi}`),
  ]) {
    expect(formatProblem(format)).toMatch(/^(may|must) /)
  }
})

// Proves reference/billing-tax#series.
test('numbers begin again with a year that the format has, never with a month', () => {
  expect(['{YYYY}{SEQ:3}', '{YY}{SEQ:3}', '{MM}{SEQ:3}', '{SEQ:3}'].map(numbersByYear)).toEqual([
    true,
    true,
    false,
    false,
  ])
})

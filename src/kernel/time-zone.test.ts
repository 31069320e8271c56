import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDate, parseInstant } from './time-text.ts'
import {
  instantOfLocal,
  localDateOf,
  nextLocalMidnight,
  parseTimeZone,
  startOfLocalDay,
} from './time-zone.ts'

const ZONES = [
  'Asia/Hong_Kong',
  'America/New_York',
  'Europe/London',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'America/St_Johns',
  'America/Havana',
  'Pacific/Apia',
]
const zone = fc.constantFrom(...ZONES)
/** Any second from 2000 to 2040. */
const second = fc.integer({ min: 946_684_800, max: 2_208_988_800 })

/** The local time by `Intl`, which shares no code with `Temporal`, in milliseconds without a zone. */
const formats = new Map(
  ZONES.map((name) => [
    name,
    new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    }),
  ]),
)
function wallMs(epochMs: number, name: string): number {
  const part = Object.fromEntries(
    (formats.get(name)?.formatToParts(epochMs) ?? []).map(({ type, value }) => [type, Number(value)]),
  )
  return Date.UTC(
    part['year'] ?? 0,
    (part['month'] ?? 1) - 1,
    part['day'],
    part['hour'],
    part['minute'],
    part['second'],
  )
}

// Proves reference/conventions#time.
test('IANA time zone names are accepted in any case, and nothing else is accepted', () => {
  expect(parseTimeZone('asia/hong_kong')).toBe('Asia/Hong_Kong')
  expect(parseTimeZone('UTC')).toBe('UTC')
  for (const name of [
    '+08:00',
    '+08',
    'Z',
    '',
    'Mars/Olympus',
    'Asia/Hong_Kong[u-ca=x]',
    '../etc/passwd',
    'A'.repeat(1000),
  ]) {
    expect(parseTimeZone(name), name).toBeUndefined()
  }
})

test('the local date is the date of the wall clock', () => {
  fc.assert(
    fc.property(second, zone, (at, name) => {
      const date = localDateOf(Temporal.Instant.fromEpochMilliseconds(at * 1000), name)
      expect(date.toString()).toBe(new Date(wallMs(at * 1000, name)).toISOString().slice(0, 10))
    }),
  )
})

test('a local day starts at the first instant with its date', () => {
  fc.assert(
    fc.property(second, zone, (at, name) => {
      const date = localDateOf(Temporal.Instant.fromEpochMilliseconds(at * 1000), name)
      const start = startOfLocalDay(date, name)
      expect(localDateOf(start, name).equals(date)).toBe(true)
      expect(localDateOf(start.subtract({ milliseconds: 1 }), name).equals(date)).toBe(false)
    }),
  )
})

test('where daylight saving skips midnight, the day and its cut-off start after the gap', () => {
  const date = Temporal.PlainDate.from('2024-04-26')
  expect(startOfLocalDay(date, 'Africa/Cairo').toString()).toBe('2024-04-25T22:00:00Z')
  expect(instantOfLocal(date, Temporal.PlainTime.from('00:30'), 'Africa/Cairo').toString()).toBe(
    '2024-04-25T22:30:00Z',
  )
  const evening = Temporal.Instant.from('2024-04-25T20:00:00Z')
  expect(nextLocalMidnight(evening, 'Africa/Cairo').toString()).toBe('2024-04-25T22:00:00Z')
})

test('the next midnight lies after the instant and at most 26 hours away, also from midnight itself', () => {
  fc.assert(
    fc.property(second, zone, (at, name) => {
      const instant = Temporal.Instant.fromEpochMilliseconds(at * 1000)
      const next = nextLocalMidnight(instant, name)
      const hours = instant.until(next).total('hours')
      expect(hours).toBeGreaterThan(0)
      expect(hours).toBeLessThanOrEqual(26)
      expect(instant.until(nextLocalMidnight(next, name)).total('hours')).toBeGreaterThan(hours)
    }),
  )
  const backAtOneMinutePast = Temporal.Instant.from('2010-11-07T02:40:00Z')
  expect(
    Temporal.Instant.compare(nextLocalMidnight(backAtOneMinutePast, 'America/St_Johns'), backAtOneMinutePast),
  ).toBe(1)
})

test('a skipped local time takes the offset before the gap, and a repeated one is the first of the two', () => {
  const at = (date: string, time: string, name: string) =>
    instantOfLocal(Temporal.PlainDate.from(date), Temporal.PlainTime.from(time), name).toString()
  expect(at('2026-03-08', '02:30', 'America/New_York')).toBe('2026-03-08T07:30:00Z')
  expect(at('2026-11-01', '01:30', 'America/New_York')).toBe('2026-11-01T05:30:00Z')
  expect(at('2026-03-29', '01:15', 'Europe/London')).toBe('2026-03-29T01:15:00Z')
  expect(at('2026-10-25', '01:15', 'Europe/London')).toBe('2026-10-25T00:15:00Z')
  // Lord Howe shifts by half an hour.
  expect(at('2026-10-04', '02:15', 'Australia/Lord_Howe')).toBe('2026-10-03T15:45:00Z')
})

test('every local time is its earliest instant, or in a gap the instant by the offset before the gap', () => {
  const day = 86_400_000
  fc.assert(
    fc.property(second, zone, (at, name) => {
      const wall = at * 1000
      const local = Temporal.Instant.fromEpochMilliseconds(wall).toZonedDateTimeISO('UTC').toPlainDateTime()
      const offsetAt = (ms: number) => wallMs(ms, name) - ms
      // The offsets before and after any change near this local time.
      const before = wall - offsetAt(wall - day)
      const candidates = [before, wall - offsetAt(wall + day)].filter((ms) => wallMs(ms, name) === wall)
      const expected = candidates.length > 0 ? Math.min(...candidates) : before
      const instant = instantOfLocal(local.toPlainDate(), local.toPlainTime(), name)
      expect(instant.epochMilliseconds).toBe(expected)
    }),
    { numRuns: 1000 },
  )
})

test('RFC 3339 times and dates are accepted, and nothing looser is accepted', () => {
  expect(parseInstant('2026-02-28T10:00:00+08:00')?.toString()).toBe('2026-02-28T02:00:00Z')
  expect(parseInstant('2026-02-28t10:00:00.123z')?.toString()).toBe('2026-02-28T10:00:00.123Z')
  expect(parseDate('2024-02-29')?.toString()).toBe('2024-02-29')
  for (const text of [
    '2026-02-30T10:00:00Z',
    '2026-02-28 10:00:00Z',
    '2026-02-28T10:00:00',
    '2026-02-28T10:00Z',
    '2026-02-28T25:00:00Z',
    '2026-02-28T10:00:00Z[UTC]',
    '+012026-02-28T10:00:00Z',
    '0000-01-01T00:00:00Z',
    '20260228T100000Z',
    '',
  ]) {
    expect(parseInstant(text), text).toBeUndefined()
  }
  for (const text of ['2025-02-29', '2026-13-01', '2026-2-1', '9999-12-31', '20260201', '2026-02-01Z', '']) {
    expect(parseDate(text), text).toBeUndefined()
  }
})

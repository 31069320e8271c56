import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addDuration, isDurationProblem, MAX_TIMER_SECONDS, parseDuration, parseTimer } from './duration.ts'

test('a timer is seconds in digits or an ISO 8601 duration', () => {
  for (const [text, seconds] of [
    ['900', 900],
    ['PT15M', 900],
    ['P1D', 86_400],
    ['P1W', 604_800],
    ['PT0.5H', 1800],
    ['P1DT1S', 86_401],
    ['0900', 900],
    ['P1M', 30 * 86_400],
    ['P1Y2M3DT4H5M6S', (365 + 60 + 3) * 86_400 + 14_706],
    ['PT0.5S', 1],
    ['PT1.000000001S', 2],
  ] as const) {
    expect(parseTimer(text), text).toBe(seconds)
  }
})

test('an invalid timer says why it is invalid', () => {
  for (const [text, problem] of [
    ['', 'not_a_duration'],
    ['soon', 'not_a_duration'],
    ['15m', 'not_a_duration'],
    ['1.5', 'not_a_duration'],
    ['-900', 'not_a_duration'],
    ['P', 'not_a_duration'],
    [`P${'1'.repeat(1000)}D`, 'not_a_duration'],
    ['0', 'not_positive'],
    ['PT0S', 'not_positive'],
    ['-PT15M', 'negative'],
    ['P3661D', 'too_long'],
    ['999999999999', 'too_long'],
    ['P4294967295Y', 'too_long'],
  ] as const) {
    expect(parseTimer(text), text).toMatchObject({ problem })
  }
})

test('a timer that is too long names the limit of timers', () => {
  for (const text of ['316224001', 'P3661D', 'P101Y', 'P4294967295Y']) {
    expect(parseTimer(text), text).toMatchObject({ message: 'must be at most 316224000 seconds' })
  }
})

test('every number of seconds means the same in digits and as a duration', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: MAX_TIMER_SECONDS }), (seconds) => {
      expect(parseTimer(String(seconds))).toBe(seconds)
      expect(parseTimer(`PT${seconds}S`)).toBe(seconds)
      const [days, rest] = [Math.floor(seconds / 86_400), seconds % 86_400]
      expect(parseTimer(`P${days}DT${Math.floor(rest / 60)}M${rest % 60}S`)).toBe(seconds)
    }),
  )
  expect(parseTimer(String(MAX_TIMER_SECONDS + 1))).toMatchObject({ problem: 'too_long' })
})

test('any text is accepted or refused, and every accepted duration can be added to a time', () => {
  const text = fc.oneof(
    fc.string(),
    fc.stringMatching(
      /^P(\d{1,12}Y)?(\d{1,6}M)?(\d{1,6}W)?(\d{1,8}D)?(T(\d{1,9}H)?(\d{1,9}M)?(\d{1,15}S)?)?$/,
    ),
  )
  const now = Temporal.Instant.from('2026-01-31T00:00:00Z')
  fc.assert(
    fc.property(text, (candidate) => {
      const duration = parseDuration(candidate)
      if (isDurationProblem(duration)) return
      expect(Temporal.Instant.compare(addDuration(now, duration, 'Europe/London'), now)).toBe(duration.sign)
    }),
    { examples: [['P0D']] },
  )
})

test('a designator that is repeated or out of order is not a duration', () => {
  for (const text of ['P1Y1Y', 'P1M1M', 'P1W1W', 'P1D1D', 'PT5H5H', 'PT5M5M', 'PT5S5S', 'P1D1Y', 'PT1M1H']) {
    expect(parseDuration(text), text).toMatchObject({ problem: 'not_a_duration' })
    expect(parseTimer(text), text).toMatchObject({ problem: 'not_a_duration' })
  }
})

test('each designator of a duration is read at most once and in order, and no value is dropped', () => {
  const part = (designators: string[]) =>
    fc.array(fc.tuple(fc.integer({ min: 1, max: 9 }), fc.constantFrom(...designators)), { maxLength: 4 })
  fc.assert(
    fc.property(part(['Y', 'M', 'W', 'D']), part(['H', 'M', 'S']), (dates, times) => {
      const write = (parts: [number, string][]) => parts.map((pair) => pair.join('')).join('')
      const text = `P${write(dates)}${times.length === 0 ? '' : `T${write(times)}`}`
      const isOrdered = (parts: [number, string][], order: string) =>
        parts.every(
          ([, designator], index) =>
            index === 0 || order.indexOf(designator) > order.indexOf(parts[index - 1]?.[1] ?? ''),
        )
      const isValid = text !== 'P' && isOrdered(dates, 'YMWD') && isOrdered(times, 'HMS')
      const duration = parseDuration(text)
      expect(isDurationProblem(duration) ? undefined : duration.toString(), text).toBe(
        isValid ? text : undefined,
      )
    }),
    { numRuns: 2_000 },
  )
})

test('days and months are added on the local calendar, and hours exactly', () => {
  const add = (from: string, text: string) => {
    const duration = parseDuration(text)
    if (isDurationProblem(duration)) throw new Error(duration.message)
    return addDuration(Temporal.Instant.from(from), duration, 'America/New_York').toString()
  }
  expect(add('2026-03-07T15:00:00Z', 'P1D')).toBe('2026-03-08T14:00:00Z')
  expect(add('2026-03-07T15:00:00Z', 'PT24H')).toBe('2026-03-08T15:00:00Z')
  expect(add('2026-01-31T15:00:00Z', 'P1M')).toBe('2026-02-28T15:00:00Z')
  expect(add('2024-02-29T15:00:00Z', 'P1Y')).toBe('2025-02-28T15:00:00Z')
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { realNowMs } from '#kernel/clock'
import { DAY_MS } from '#kernel/time-units'
import { RETENTION_DAYS } from '../model/timings.ts'
import { readRetryAfter, retryDelayMs } from './retry-schedule.ts'

// Proves reference/events#retries.

test('there are nine retries, and none is earlier than its scheduled delay', () => {
  const delays = Array.from({ length: 10 }, (_, index) => retryDelayMs(index + 1, undefined, () => 0))
  const hours = [2, 5, 10, 14, 20, 24].map((count) => count * 3_600_000)
  expect(delays).toEqual([5_000, 300_000, 1_800_000, ...hours, undefined])
})

test('a retry is never before the schedule nor before Retry-After, and never after the retention', () => {
  const tries = fc.integer({ min: 1, max: 9 })
  const retryAfter = fc.option(fc.double({ min: 0, max: 1e15, noNaN: true }), { nil: undefined })
  fc.assert(
    fc.property(
      tries,
      retryAfter,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (count, retryAfterMs, random) => {
        const delay = retryDelayMs(count, retryAfterMs, () => random) ?? 0
        expect(delay).toBeGreaterThanOrEqual(retryDelayMs(count, undefined, () => 0) ?? Infinity)
        expect(delay).toBeGreaterThanOrEqual(Math.min(Math.floor(retryAfterMs ?? 0), RETENTION_DAYS * DAY_MS))
        expect(delay).toBeLessThanOrEqual(RETENTION_DAYS * DAY_MS * 1.1)
      },
    ),
  )
})

test('Retry-After is read as seconds or as an HTTP date, and anything else is ignored', () => {
  expect(readRetryAfter('120')).toBe(120_000)
  expect(readRetryAfter(' 120\t')).toBe(120_000)
  expect(readRetryAfter('0000000600')).toBe(600_000)
  expect(retryDelayMs(1, readRetryAfter('9'.repeat(400)), () => 0)).toBe(30 * 24 * 3_600_000)
  const inTenMinutes = new Date(realNowMs() + 600_000).toUTCString()
  expect(readRetryAfter(inTenMinutes)).toBeGreaterThan(598_000)
  expect(readRetryAfter(inTenMinutes)).toBeLessThanOrEqual(600_000)
  expect(readRetryAfter('Sun, 06 Nov 1994 08:49:37 GMT')).toBe(0)
  for (const text of [undefined, '', '-1', '1.5', 'soon', 'Sun, 99 Nov 1994 08:49:37 GMT']) {
    expect(readRetryAfter(text)).toBeUndefined()
  }
})

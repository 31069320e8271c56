import fc from 'fast-check'
import { expect, test } from 'vitest'
import { realNowMs } from '#kernel/clock'
import { KEPT_DAYS } from '../storage/due-times.ts'
import { readRetryAfter, retryDelayMs } from './retry-schedule.ts'

const DAY_MS = 86_400_000

test('there are nine retries, each no earlier than the schedule says', () => {
  const delays = Array.from({ length: 10 }, (_, index) => retryDelayMs(index + 1, undefined, () => 0))
  const hours = [2, 5, 10, 14, 20, 24].map((count) => count * 3_600_000)
  expect(delays).toEqual([5_000, 300_000, 1_800_000, ...hours, undefined])
})

test('whatever a receiver asks for, the next attempt is not before that nor before the schedule, and within reach', () => {
  const tries = fc.integer({ min: 1, max: 9 })
  const asked = fc.option(fc.double({ min: 0, max: 1e15, noNaN: true }), { nil: undefined })
  fc.assert(
    fc.property(tries, asked, fc.double({ min: 0, max: 1, noNaN: true }), (count, askedMs, random) => {
      const delay = retryDelayMs(count, askedMs, () => random) ?? 0
      expect(delay).toBeGreaterThanOrEqual(retryDelayMs(count, undefined, () => 0) ?? Infinity)
      expect(delay).toBeGreaterThanOrEqual(Math.min(Math.floor(askedMs ?? 0), KEPT_DAYS * DAY_MS))
      expect(delay).toBeLessThanOrEqual(KEPT_DAYS * DAY_MS * 1.1)
    }),
  )
})

test('Retry-After is read as seconds and as an HTTP date, and anything else says nothing', () => {
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

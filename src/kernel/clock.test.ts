import { expect, test } from 'vitest'
import { earliestOf } from './clock.ts'

test('the earliest time is found to the nanosecond, and missing times are ignored', () => {
  const noon = Temporal.Instant.from('2026-01-01T12:00:00Z')
  const before = noon.subtract({ nanoseconds: 1 })
  expect(earliestOf([null, noon.add({ microseconds: 1 }), noon, undefined])).toBe(noon)
  expect(earliestOf([noon, before])).toBe(before)
  expect(earliestOf([undefined, null])).toBeNull()
})

import { expect, test } from 'vitest'
import { errorOf, RequestError } from '#kernel/errors'
import { errors } from '../errors.ts'
import { refuseTarget } from './decide-target.ts'
import { type AdvanceRequest, readTarget } from './read-target.ts'

const ZONE = 'America/New_York'
const NOW = Temporal.Instant.from('2026-01-31T17:00:00Z')

function targetOf(request: AdvanceRequest): string {
  try {
    const target = readTarget(request, NOW, ZONE)
    const refused = refuseTarget(target, NOW, ZONE)
    if (refused !== null) throw errorOf(errors, refused)
    return target.toString()
  } catch (error) {
    if (error instanceof RequestError) return `${error.status} ${error.reason}`
    throw error
  }
}

// Proves reference/sandbox#advancing.
test('months and days follow the calendar of the business, hours are exact', () => {
  expect(targetOf({ by: 'P1M' })).toBe('2026-02-28T17:00:00Z')
  // Daylight saving time starts on 8 March.
  expect(targetOf({ by: 'P40D' })).toBe('2026-03-12T16:00:00Z')
  expect(targetOf({ by: 'PT960H' })).toBe('2026-03-12T17:00:00Z')
  expect(targetOf({ by: 'P10Y' })).toBe('2036-01-31T17:00:00Z')
  expect(targetOf({ to: '2026-02-02T00:00:00+08:00' })).toBe('2026-02-01T16:00:00Z')
})

test('a target in the past, too far ahead, missing or given twice is refused', () => {
  expect(targetOf({ to: '2026-01-31T16:59:59.999Z' })).toBe('422 clock_cannot_go_back')
  expect(targetOf({ to: '2026-01-31T17:00:00Z' })).toBe('2026-01-31T17:00:00Z')
  expect(targetOf({ by: '-P1D' })).toBe('422 clock_cannot_go_back')
  expect(targetOf({ by: 'PT0S' })).toBe('2026-01-31T17:00:00Z')
  expect(targetOf({ by: 'P10YT1S' })).toBe('422 advance_too_far')
  expect(targetOf({ by: 'P900Y' })).toBe('422 advance_too_far')
  expect(targetOf({ to: '2036-01-31T17:00:00.001Z' })).toBe('422 advance_too_far')
  expect(targetOf({ by: 'P1D', to: '2026-02-01T00:00:00Z' })).toBe('422 advance_ambiguous')
  expect(targetOf({ by: 'tomorrow' })).toBe('400 invalid_member')
  expect(targetOf({})).toBe('400 missing_member')
})

import { type Instant, isAfter, isBefore } from '#kernel/clock'
import { msOfId } from '#kernel/ids'
import type { NewEntry } from '../model/entry.ts'

export interface Times {
  readonly from: Instant
  readonly until: Instant
}

const PREFIX = 'req_'
const OWN_ID = /^req_[0-9a-hjkmnp-tv-z]{0,26}$/
const ID_LENGTH = PREFIX.length + 26
const TIME_LENGTH = PREFIX.length + 10
/** How far the time in a request's id may be from the time of its record. */
const MAX_DEVIATION_MS = 1_000
const LAST_MS = Temporal.Instant.from('9999-01-01T00:00:00Z').epochMilliseconds

export function timesOf(beginning: string): Times | undefined {
  const start = PREFIX.startsWith(beginning) ? PREFIX : beginning
  if (!OWN_ID.test(start)) return undefined
  const [first = 0, last = 0] = ['0', 'z'].map((filling) =>
    Math.min(msOfId(start.padEnd(TIME_LENGTH, filling)), LAST_MS),
  )
  return {
    from: Temporal.Instant.fromEpochMilliseconds(first - MAX_DEVIATION_MS),
    until: Temporal.Instant.fromEpochMilliseconds(last + MAX_DEVIATION_MS),
  }
}

export function isWhereItsIdSays({ requestId, createdAt }: NewEntry): boolean {
  const times = timesOf(requestId)
  return (
    times !== undefined &&
    requestId.length === ID_LENGTH &&
    !isBefore(createdAt, times.from) &&
    !isAfter(createdAt, times.until)
  )
}

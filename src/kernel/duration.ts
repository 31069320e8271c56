import type { Instant } from './clock.ts'
import type { TimeZone } from './time-zone.ts'

/** Why a text is no duration for us. `message` completes "timer …": "must be longer than zero". */
export interface DurationProblem {
  readonly problem: 'not_a_duration' | 'negative' | 'not_positive' | 'too_long'
  readonly message: string
}

/** A timer is answered as an integer; ten years of 366 days also fit PostgreSQL's. */
export const MAX_TIMER_SECONDS = 10 * 366 * 86_400

/** Far above what any caller may ask, and so small that arithmetic with it never leaves the calendar. */
const MAX_DURATION_DAYS = 100 * 366

/** No sensible duration is longer as text. */
const MAX_TEXT_LENGTH = 64

/** Months and years are measured from a fixed date where only an order of magnitude is asked for. */
const MEASURED_FROM = Temporal.PlainDate.from('2000-01-01')

/** Reads an ISO 8601 duration such as `PT15M`, `P1M` or `P1Y2DT3H`; not negative, and at most a century. */
export function parseDuration(text: string): Temporal.Duration | DurationProblem {
  const duration = readDuration(text)
  if (duration === undefined) {
    return { problem: 'not_a_duration', message: 'must be an ISO 8601 duration, such as PT15M or P1M' }
  }
  if (duration.sign < 0) return { problem: 'negative', message: 'must not be negative' }
  const days = inUnit(duration, 'days')
  if (days === undefined || days > MAX_DURATION_DAYS) {
    return { problem: 'too_long', message: 'must be at most 100 years' }
  }
  return duration
}

/**
 * Reads `timeout.timer`: seconds in digits ("900") or an ISO 8601 duration ("PT15M", "P1M"). Answers whole seconds, a
 * fraction counting as one. Plans answer a timer in seconds, so a day is 24 hours, a month 30 days and a year 365.
 */
export function parseTimer(text: string): number | DurationProblem {
  if (/^\d{1,18}$/.test(text)) return boundedTimer(Number(text))
  const duration = parseDuration(text)
  if ('problem' in duration) {
    if (duration.problem === 'too_long') return timerTooLong()
    return duration.problem === 'not_a_duration'
      ? {
          problem: 'not_a_duration',
          message: 'must be seconds, such as 900, or an ISO 8601 duration, such as PT15M',
        }
      : duration
  }
  const { years, months, days } = duration
  const fixed = duration.with({ years: 0, months: 0, days: years * 365 + months * 30 + days })
  return boundedTimer(Math.ceil(inUnit(fixed, 'seconds') ?? Infinity))
}

/** `instant` plus a duration: days and longer by the calendar of `zone` at the same local time, hours and shorter exactly. */
export function addDuration(instant: Instant, duration: Temporal.DurationLike, zone: TimeZone): Instant {
  return instant.toZonedDateTimeISO(zone).add(duration).toInstant()
}

export function isDurationProblem(
  value: number | Temporal.Duration | DurationProblem,
): value is DurationProblem {
  return typeof value === 'object' && 'problem' in value
}

function boundedTimer(seconds: number): number | DurationProblem {
  if (seconds === 0) return { problem: 'not_positive', message: 'must be longer than zero' }
  return seconds > MAX_TIMER_SECONDS ? timerTooLong() : seconds
}

function timerTooLong(): DurationProblem {
  return { problem: 'too_long', message: `must be at most ${MAX_TIMER_SECONDS} seconds` }
}

/** V8's Temporal accepts a repeated designator, such as P1D2D, and drops a value. */
const DESIGNATORS_ONCE_IN_ORDER =
  /^[+-]?P(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?:[\d.,]+H)?(?:[\d.,]+M)?(?:[\d.,]+S)?)?$/i

function readDuration(text: string): Temporal.Duration | undefined {
  if (text.length > MAX_TEXT_LENGTH || !DESIGNATORS_ONCE_IN_ORDER.test(text)) return undefined
  try {
    return Temporal.Duration.from(text)
  } catch {
    return undefined
  }
}

/** The length in a unit; undefined when it leads out of the calendar. */
function inUnit(duration: Temporal.Duration, unit: 'days' | 'seconds'): number | undefined {
  try {
    return duration.total({ unit, relativeTo: MEASURED_FROM })
  } catch {
    return undefined
  }
}

import type { Instant } from './clock.ts'
import type { TimeZone } from './time-zone.ts'

export interface DurationProblem {
  readonly problem: 'not_a_duration' | 'negative' | 'not_positive' | 'too_long'
  readonly message: string
}

/** Ten years of 366 days. Fits PostgreSQL's `integer`. */
export const MAX_TIMER_SECONDS = 10 * 366 * 86_400

/** Small enough that adding a duration to a time stays within the calendar. */
const MAX_DURATION_DAYS = 100 * 366

const MAX_TEXT_LENGTH = 64

const MEASURED_FROM = Temporal.PlainDate.from('2000-01-01')

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
 * Reads `timeout.timer`: seconds in digits ("900") or an ISO 8601 duration ("PT15M", "P1M"). Fractions are
 * rounded up to whole seconds. A day has 24 hours, a month 30 days and a year 365, because plans show a timer
 * in seconds.
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

/** V8's Temporal accepts a repeated designator, such as P1D2D, and drops one of the values. */
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

function inUnit(duration: Temporal.Duration, unit: 'days' | 'seconds'): number | undefined {
  try {
    return duration.total({ unit, relativeTo: MEASURED_FROM })
  } catch {
    return undefined
  }
}

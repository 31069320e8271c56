import Type, { type Static } from 'typebox'
import type { Instant } from '#kernel/clock'
import { addDuration, isDurationProblem, parseDuration } from '#kernel/duration'
import type { TimeZone } from '#kernel/time-zone'
import { platformErrors } from '#platform/errors'
import { strictObject, Text, Timestamp } from '#platform/http/validation/schemas'
import { errors } from '../errors.ts'

export const AdvanceBody = strictObject({
  to: Type.Optional(Timestamp({ description: 'The target time; send either this or by' })),
  by: Type.Optional(Text({ max: 64, description: 'An ISO 8601 duration such as P1M, at most 10 years' })),
})
export type AdvanceRequest = Static<typeof AdvanceBody>

/** The target in whole milliseconds. Days, weeks, months and years follow the calendar of `zone`. Throws 400 and 422. */
export function readTarget({ to, by }: AdvanceRequest, now: Instant, zone: TimeZone): Instant {
  if (to !== undefined && by !== undefined) throw errors.advance_ambiguous({ param: 'by' })
  if (to !== undefined) return wholeMilliseconds(Temporal.Instant.from(to))
  if (by === undefined) {
    throw platformErrors.missing_member({ param: 'to', message: 'Send either to or by.' })
  }
  const duration = parseDuration(by)
  if (!isDurationProblem(duration)) return wholeMilliseconds(addDuration(now, duration, zone))
  const detail = { param: 'by', message: `by ${duration.message}.` }
  if (duration.problem === 'negative') throw errors.clock_cannot_go_back(detail)
  if (duration.problem === 'too_long') throw errors.advance_too_far({ param: 'by' })
  throw platformErrors.invalid_member(detail)
}

function wholeMilliseconds(instant: Instant): Instant {
  return Temporal.Instant.fromEpochMilliseconds(instant.epochMilliseconds)
}

import { type Instant, isBefore, laterOf } from '#kernel/clock'
import { addDuration } from '#kernel/duration'
import type { TimeZone } from '#kernel/time-zone'

export const WITHOUT_TOKEN = ['cancel', 'pause', 'bill'] as const

/**
 * A time before the first period that costs nothing (reference/billing-lifecycle#trials). It begins at the plan's `startAt`.
 * - `end`: The anchor of the first period.
 * - `state`: `ended`: the trial ended while the plan was paused, so the first period begins at the resumption.
 * - `withoutToken`: What happens at the end if the customer has no active default token.
 * - `noticeAt`: When `plan.trial_will_end` is due; null once it was written.
 */
export interface Trial {
  readonly end: Instant
  readonly state: 'running' | 'ended' | 'converted' | 'canceled'
  readonly withoutToken: (typeof WITHOUT_TOKEN)[number]
  readonly noticeDays: number
  readonly noticeAt: Instant | null
}

export function firstPeriodAt({ startAt, trial }: { startAt: Instant; trial: Trial | null }): Instant {
  return trial?.end ?? startAt
}

/** A trial shorter than the notice is announced when it begins. */
export function noticeAt(
  { startAt, zone }: { startAt: Instant; zone: TimeZone },
  { end, noticeDays }: Pick<Trial, 'end' | 'noticeDays'>,
): Instant | null {
  if (noticeDays === 0) return null
  const at = laterOf(addDuration(end, { days: -noticeDays }, zone), startAt)
  return isBefore(at, end) ? at : null
}

export function canceledTrial(trial: Trial | null): Trial | null {
  if (trial === null || trial.state === 'converted') return trial
  return { ...trial, state: 'canceled', noticeAt: null }
}

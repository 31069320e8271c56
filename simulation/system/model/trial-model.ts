import type { PlanLife } from '../plan/draw-plans.ts'

const TIME_ZONE = 'Asia/Hong_Kong'

export function zoned(at: Temporal.Instant): Temporal.ZonedDateTime {
  return at.toZonedDateTimeISO(TIME_ZONE)
}

/** The end of the trial, or the start of a plan without one. */
export function firstDueAt({ trial }: PlanLife, startsAt: Temporal.Instant): Temporal.Instant {
  if (trial === undefined) return startsAt
  const { days, minutes } = trial
  return days === undefined ? startsAt.add({ minutes }) : zoned(startsAt).add({ days }).toInstant()
}

/** The states that a plan may be in after its trial has ended without a card; undefined where it is billed. */
export function stateWithoutCard({ card, trial }: PlanLife): 'canceled' | 'paused' | undefined {
  if (card !== 'none' || trial === undefined || trial.withoutToken === 'bill') return undefined
  return trial.withoutToken === 'cancel' ? 'canceled' : 'paused'
}

import type { Static } from 'typebox'
import { toRfc3339 } from '#kernel/clock'
import type { Plan } from '#modules/plans'
import type { PlanSchema } from '../schemas.ts'

/** A trial that ended during a pause is shown as running, because its first period has not begun. */
export function renderLifecycle({
  startAt,
  pauseUntil,
  trial,
  terms,
}: Plan): Pick<Static<typeof PlanSchema>, 'pause_until' | 'trial' | 'terms'> {
  return {
    ...(pauseUntil !== null && { pause_until: toRfc3339(pauseUntil) }),
    ...(trial !== null && {
      trial: {
        start: toRfc3339(startAt),
        end: toRfc3339(trial.end),
        state: trial.state === 'ended' ? 'running' : trial.state,
      },
    }),
    ...(terms !== null && {
      terms: {
        minimum: terms.minimum,
        ...(terms.notice !== null && { notice: terms.notice }),
        ...(terms.renewal !== null && { renewal: terms.renewal }),
      },
    }),
  }
}

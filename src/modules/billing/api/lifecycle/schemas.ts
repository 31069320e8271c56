import Type from 'typebox'
import { OneOf, strictObject } from '#platform/http/validation/schemas'
import { TimeOrDate } from '#platform/http/validation/time-or-date'
import { REACTIVATE_FROM } from '#modules/plans'

export const PausePlanBody = strictObject({
  until: Type.Optional(TimeOrDate({ description: 'When the plan resumes by itself' })),
})

export const MoveTrialBody = strictObject({
  trial: strictObject({
    until: TimeOrDate({ description: 'The new end of the trial. Not after now: it ends at once' }),
  }),
})

export const ReactivatePlanBody = strictObject({
  from: Type.Optional(
    OneOf(REACTIVATE_FROM, {
      description:
        'now (default): the first period begins now. missed: the dates stay, and each period that has begun since the end is billed at once.',
    }),
  ),
})

import Type from 'typebox'
import { OneOf, strictObject, Text } from '#platform/http/validation/schemas'
import { TimeOrDate } from '#platform/http/validation/time-or-date'
import { MAX_TRIAL_DAYS, REACTIVATE_FROM, WITHOUT_TOKEN } from '#modules/plans'

export const NewTrial = strictObject(
  {
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_TRIAL_DAYS,
        description: 'Local days from the start. Not with until.',
      }),
    ),
    until: Type.Optional(TimeOrDate({ description: 'When the trial ends. Not with days' })),
    token_required: Type.Optional(
      Type.Boolean({
        description: 'Refuses the plan of a customer without an active default token. Default false.',
      }),
    ),
    without_token: Type.Optional(
      OneOf(WITHOUT_TOKEN, {
        description:
          'What happens at the end if the customer has no active default token. Default cancel. pause: the first period begins at the resumption.',
      }),
    ),
    notice_days: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 365,
        description: 'So many local days before the end plan.trial_will_end is written. Default 3; 0: never.',
      }),
    ),
  },
  { title: 'NewTrial' },
)

function Days(description: string) {
  return Text({ max: 64, description: `${description} An ISO 8601 duration of whole days, such as P12M.` })
}

export const NewTerms = strictObject(
  {
    minimum: Days('The first term, which begins with the first period.'),
    notice: Type.Optional(Days('How long before the end of a term a cancellation must come. Default none.')),
    renewal: Type.Optional(Days('The terms after the first. Default a period.')),
  },
  { title: 'NewTerms' },
)

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

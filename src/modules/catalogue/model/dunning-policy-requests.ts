import Type, { type Static } from 'typebox'
import {
  EXPECTED,
  MetadataBody,
  OneOf,
  strictObject,
  Text,
  ReferenceId,
} from '#platform/http/validation/schemas'
import { EXHAUSTED, HARD_DECLINES, NEW_TOKENS } from './dunning-policy.ts'

const MAX_DAYS = 10 * 365

const Step = strictObject(
  {
    after_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_DAYS,
        description: 'Local days from the creation of the order. Without days_of_month.',
      }),
    ),
    days_of_month: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: 31 }), {
        description: 'The next of these days. In a shorter month 29 to 31 are its last day.',
      }),
    ),
    min_days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_DAYS,
        description: 'With days_of_month: at least so many days after the attempt before. Default 1.',
      }),
    ),
    at_time: Type.Optional(
      Type.String({
        pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$',
        description: "Local time of day. Default the plan's.",
        [EXPECTED]: 'a time of day as 09:00',
      }),
    ),
  },
  { title: 'NewDunningStep' },
)

/** A step as requests send it and the database keeps it. */
export type StepMembers = Static<typeof Step>

const Steps = Type.Array(Step, { description: '1 to 99, in order.' })

const rules = {
  soft: Type.Optional(
    Type.Array(
      strictObject(
        { decline_codes: Type.Array(Text({ max: 255 })), steps: Steps },
        { title: 'NewSoftSteps' },
      ),
      { description: 'Other steps after a decline with one of the codes.' },
    ),
  ),
  hard: Type.Optional(
    OneOf(HARD_DECLINES, {
      description:
        'After a hard decline, or without a token: wait (default) makes no attempt until another token is default, step follows the steps.',
    }),
  ),
  new_token: Type.Optional(
    OneOf(NEW_TOKENS, {
      description:
        'When another token becomes default: retry (default) makes the next attempt of a past-due order at once, wait leaves its time.',
    }),
  ),
  exhausted: Type.Optional(
    OneOf(EXHAUSTED, {
      description: 'What becomes of the plan after the last step. Default uncollectible.',
    }),
  ),
  reminders: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0, maximum: MAX_DAYS }), {
      maxItems: 99,
      description: 'Days after the due date with a reminder, in order.',
    }),
  ),
  metadata: MetadataBody(),
}

export const NewDunningPolicySchema = strictObject(
  {
    name: Text({ max: 255 }),
    steps: Steps,
    ...rules,
    reference_id: Type.Optional(ReferenceId),
  },
  { title: 'NewDunningPolicy' },
)
export type NewDunningPolicy = Static<typeof NewDunningPolicySchema>

export const DunningPolicyEditSchema = strictObject(
  { name: Type.Optional(Text({ max: 255 })), steps: Type.Optional(Steps), ...rules },
  { title: 'DunningPolicyEdit' },
)
export type DunningPolicyEdit = Static<typeof DunningPolicyEditSchema>

import Type from 'typebox'
import { PageSchema } from '#platform/http/validation/list'
import {
  MetadataOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { EXHAUSTED, HARD_DECLINES, NEW_TOKENS } from '../../model/dunning-policy.ts'
import { DunningPolicyEditSchema, NewDunningPolicySchema } from '../../model/dunning-policy-requests.ts'

const StepOut = Resource('DunningStep', {
  after_days: Type.Optional(Type.Integer()),
  days_of_month: Type.Optional(Type.Array(Type.Integer())),
  min_days: Type.Optional(Type.Integer()),
  at_time: Type.Optional(Type.String()),
})

export const DunningPolicySchema = Resource('DunningPolicy', {
  id: Type.String(),
  name: Type.String(),
  steps: Type.Array(StepOut),
  soft: Type.Array(Type.Object({ decline_codes: Type.Array(Type.String()), steps: Type.Array(StepOut) })),
  hard: OneOf(HARD_DECLINES),
  new_token: OneOf(NEW_TOKENS),
  exhausted: OneOf(EXHAUSTED),
  reminders: Type.Array(Type.Integer()),
  reference_id: Nullable(Type.String()),
  metadata: MetadataOut(),
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
})

export const DunningPolicyData = Type.Object({ dunning_policy: DunningPolicySchema })
export const DUNNING_POLICY_EXISTS = {
  name: 'DunningPolicyExists',
  data: Type.Object({ dunning_policy: Type.Optional(Type.Object({ id: Type.String() })) }),
}
export const DunningPoliciesPage = Type.Object({
  dunning_policies: Type.Array(DunningPolicySchema),
  page: PageSchema,
})

export const CreateDunningPolicyBody = strictObject({ dunning_policy: NewDunningPolicySchema })

export const EditDunningPolicyBody = strictObject({ dunning_policy: DunningPolicyEditSchema })

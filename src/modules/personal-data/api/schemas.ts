import Type from 'typebox'
import { listQuery, PageSchema } from '#platform/http/validation/list'
import {
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { ERASURE_CAUSES, ERASURE_STATES } from '../model/erasure.ts'

export const ErasuresQuery = listQuery({})

export const ErasureSchema = Resource('Erasure', {
  id: Type.String(),
  customer_uuid: Type.String(),
  cause: OneOf(ERASURE_CAUSES),
  state: OneOf(ERASURE_STATES),
  erased_rows: Type.Unsafe<Record<string, number>>({
    type: 'object',
    additionalProperties: { type: 'integer' },
    description: 'Rows that were changed, by table.',
  }),
  created_at: TimestampOut(),
  completed_at: Nullable(TimestampOut()),
})

export const ErasureData = Type.Object({ erasure: ErasureSchema })
export const ErasuresData = Type.Object({ erasures: Type.Array(ErasureSchema), page: PageSchema })

const BlockerSchema = Resource('ErasureBlocker', {
  reason: Type.String(),
  message: Type.String(),
  ids: Type.Array(Type.String(), { description: 'Up to five objects that are in the way.' }),
})

export const RefusedData = Type.Object({ blockers: Type.Optional(Type.Array(BlockerSchema)) })

export const LegalHoldSchema = Resource('LegalHold', {
  customer_uuid: Type.String(),
  reason: Type.String(),
  placed_by: Type.String({ description: 'The id of the user or the API key.' }),
  created_at: TimestampOut(),
})

export const LegalHoldData = Type.Object({ legal_hold: LegalHoldSchema })

export const LegalHoldBody = strictObject({
  legal_hold: strictObject({ reason: Text({ max: 500, description: 'Such as the number of a case.' }) }),
})

export const ErasureCheckData = Type.Object({
  erasure_check: Resource('ErasureCheck', {
    can_be_erased: Type.Boolean(),
    blockers: Type.Array(BlockerSchema),
    legal_hold: Nullable(LegalHoldSchema),
    found: Type.Array(
      Type.Object({
        table: Type.String(),
        rows: Type.Integer(),
        is_more: Type.Boolean({ description: 'Whether there are more rows than were counted.' }),
      }),
    ),
  }),
})

const customerDays = Nullable(
  Type.Integer({
    minimum: 30,
    maximum: 36_500,
    description: 'Days without activity after which a customer is erased. Null: never.',
  }),
)

export const RetentionBody = strictObject({ retention: strictObject({ customer_days: customerDays }) })
export const RetentionData = Type.Object({
  retention: Resource('Retention', { customer_days: customerDays }),
})

import Type from 'typebox'
import { NewPlanSchema, PlanEditSchema } from '#modules/plans'
import { Amount, OneOf, strictObject, Text } from '#platform/http/validation/schemas'
import { UNUSED } from '../lifecycle/unused/cancel-unused.ts'

export const CreatePlanBody = strictObject({ plan: NewPlanSchema })

export const PreviewPlanBody = strictObject({
  plan: NewPlanSchema,
  count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 120, description: 'How many orders. Default 12.' }),
  ),
})

export const EditPlanBody = strictObject({ plan: Type.Optional(PlanEditSchema) })
export const EditPlanHeaders = Type.Object({ 'X-P-Customer-Code': Text({ max: 255 }) })

export const CancelPlanBody = strictObject({
  at_period_end: Type.Optional(Type.Boolean({ description: 'Default false: at once.' })),
  unused: Type.Optional(
    OneOf(UNUSED, {
      description:
        'keep (default), or refund: what was billed for the days that are left lowers what is unpaid, and the rest is refunded. At once only.',
    }),
  ),
})

export const RetryPlanBody = strictObject({
  order_number: Type.Optional(
    Text({ max: 64, description: 'Default: every open order of the plan whose attempts are not used up.' }),
  ),
})

export const CreditPlanBody = strictObject({
  amount: Amount({ description: 'Added to the credit of the plan.' }),
  note: Type.Optional(Text({ max: 4_096 })),
})

export const RecurringOrderBody = strictObject({
  customer_uuid: Text({ max: 255 }),
  order: strictObject({ number: Text({ max: 255 }) }),
})

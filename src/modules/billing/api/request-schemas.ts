import Type from 'typebox'
import { NewPlanSchema, PlanEditSchema } from '#modules/plans'
import { Amount, strictObject, Text } from '#platform/http/validation/schemas'

export const CreatePlanBody = strictObject({ plan: NewPlanSchema })

export const PreviewPlanBody = strictObject({
  plan: NewPlanSchema,
  count: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 120, description: 'How many orders. Default 12.' }),
  ),
})

export const EditPlanBody = strictObject({ plan: Type.Optional(PlanEditSchema) })
export const EditPlanHeaders = Type.Object({ 'X-P-Customer-Code': Text({ max: 255 }) })

export const RetryPlanBody = strictObject({
  order_number: Type.Optional(
    Text({ max: 64, description: 'Default: every open order of the plan whose attempts are not used up.' }),
  ),
})

export const CreditPlanBody = strictObject({
  amount: Amount({ description: 'Added to the credit of the plan.' }),
  note: Type.Optional(Text({ max: 4_096 })),
})

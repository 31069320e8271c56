import Type, { type Static } from 'typebox'
import { DecimalString, OneOf, strictObject, Text } from '#platform/http/validation/schemas'

export const FEE_RULE_TYPES = ['business', 'user'] as const

export const NewFeeRuleSchema = strictObject({
  type: OneOf(FEE_RULE_TYPES),
  user_id: Type.Optional(
    Text({ max: 255, description: 'The p_user_id. Required when type is user, not allowed otherwise.' }),
  ),
  fixed_fee: DecimalString({ description: 'US dollars, at most 2 decimals.' }),
  percentage_fee: DecimalString({
    description: 'Percentage of the amount in US dollars, 0 to 100, at most 6 decimals.',
  }),
})
export type NewFeeRule = Static<typeof NewFeeRuleSchema>

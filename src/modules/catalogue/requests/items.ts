import Type, { type Static } from 'typebox'
import { Amount, strictObject, Text } from '#platform/http/validation/schemas'

export const NewItemSchema = strictObject({
  label: Text({ max: 255 }),
  price: Amount(),
  currency: Text({ min: 3, max: 3, description: 'ISO 4217.' }),
  reference_id: Type.Optional(Text({ max: 255 })),
  description: Type.Optional(Text({ max: 4_096 })),
})
export type NewItem = Static<typeof NewItemSchema>

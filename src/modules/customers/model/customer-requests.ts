import Type, { type Static } from 'typebox'
import { MetadataBody, OneOf, strictObject, Text } from '#platform/http/validation/schemas'
import { PAYMENT_METHODS } from './customer.ts'
import { MESSAGE_KINDS } from './message-kinds.ts'

/** An empty text removes the value. Responses show a missing `dial_code` as '', so a caller can send back what it read. */
const optionalText = (max: number, description = '') =>
  Type.Optional(
    Text({ max, min: 0, description: `${description} An empty text removes the value.`.trimStart() }),
  )

const profile = {
  name: Text({ max: 255 }),
  phone: Text({ max: 255 }),
  email: optionalText(255),
  dial_code: optionalText(6, 'Country code of the mobile phone.'),
  company_name: optionalText(255),
  default_payment_method: Type.Optional(OneOf(PAYMENT_METHODS)),
  messages: Type.Optional(
    strictObject(
      {
        off: Type.Array(OneOf(MESSAGE_KINDS), {
          maxItems: MESSAGE_KINDS.length,
          uniqueItems: true,
          description: 'The kinds of messages that the customer does not get; replaces the list.',
        }),
      },
      { title: 'CustomerMessagesEdit' },
    ),
  ),
  metadata: MetadataBody(),
}

export const NewCustomerSchema = strictObject({
  reference_number: Text({
    max: 255,
    description: 'Your unique number for the customer. It never changes.',
  }),
  ...profile,
})
export type NewCustomer = Static<typeof NewCustomerSchema>

export const EditCustomerBody = strictObject({
  ...profile,
  default_payment_token: Type.Optional(
    Text({ max: 255, description: 'An active token of the customer that becomes the default.' }),
  ),
})
export type CustomerEdit = Static<typeof EditCustomerBody>

export type CustomerProfile = Omit<CustomerEdit, 'default_payment_token'>

import Type from 'typebox'
import {
  EXPECTED,
  HttpUrl,
  KeyOf,
  MetadataBody,
  MetadataOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { containsCardNumber } from '#platform/security/redaction'
import { PAYMENT_METHODS } from '../model/customer.ts'
import { PAYMENT_TOKEN_STATES } from '../model/payment-token.states.ts'
import { TOKEN_TYPES } from '../model/payment-token.ts'

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
  metadata: MetadataBody(),
}

export const CreateCustomerBody = strictObject({
  customer: strictObject({
    reference_number: Text({
      max: 255,
      description: 'Your unique number for the customer. It never changes.',
    }),
    ...profile,
  }),
})

export const EditCustomerBody = strictObject({
  ...profile,
  default_payment_token: Type.Optional(
    Text({ max: 255, description: 'An active token of the customer that becomes the default.' }),
  ),
})

const digits = (pattern: string, expected: string, description: string) =>
  Type.String({ pattern, description, [EXPECTED]: expected })

/** The name is stored and shown in plain text, which is forbidden for a card number. */
const HolderName = Type.Refine(
  Text({ max: 255 }),
  (name) => !containsCardNumber(name),
  () => 'must not hold a card number',
)

export const BindTokenBody = strictObject({
  payment_token: strictObject({
    token_type: OneOf(TOKEN_TYPES),
    credit_card: Type.Optional(
      strictObject({
        number: digits('^[0-9]{12,19}$', 'a string of 12 to 19 digits', '12 to 19 digits. Stored encrypted.'),
        exp_month: digits('^(0?[1-9]|1[0-2])$', 'a month as a string, "01" to "12"', 'Month, 01 to 12.'),
        exp_year: digits(
          '^([0-9]{2}|[0-9]{4})$',
          'a year as a string of two or four digits',
          'Year of two or four digits.',
        ),
        cvc: digits('^[0-9]{3,4}$', 'a string of 3 or 4 digits', '3 or 4 digits. Never stored.'),
        holder_name: HolderName,
        billing_currency: Text({ max: 3, min: 3, description: 'ISO 4217.' }),
      }),
    ),
    acquirer_token: Type.Optional(
      strictObject({
        acquirer_account_id: Text({
          max: 255,
          description: 'Your account at the acquirer that has the token.',
        }),
        id: Text({ max: 255, description: 'Its id there, such as `pm_…` at Stripe.' }),
      }),
    ),
    default: Type.Optional(
      Type.Boolean({
        description:
          'Whether the token becomes the default. The first active token does, unless this is false.',
      }),
    ),
    return_url: Type.Optional(HttpUrl({ description: 'Where the payer goes after the verification page.' })),
  }),
})

export const TokensQuery = strictObject({ token_type: Type.Optional(OneOf(PAYMENT_METHODS)) })

export const PaymentTokenSchema = Resource('PaymentToken', {
  token_type: OneOf(TOKEN_TYPES),
  token: Type.String(),
  state: KeyOf(PAYMENT_TOKEN_STATES),
  default: Type.Boolean(),
  verify_url: Nullable(Type.String()),
  verify_uuid: Type.String(),
  error_code: Type.Optional(Type.String()),
  error_msg: Type.Optional(Type.String()),
  credit_card: Type.Optional(
    Type.Object({
      number: Type.String({ description: 'Masked: 424242******4242.' }),
      exp_month: Type.String(),
      exp_year: Type.String(),
      holder_name: Type.String(),
      brand: Type.String(),
      billing_currency: Type.String(),
    }),
  ),
  acquirer_account_id: Type.Optional(
    Type.String({ description: 'The acquirer account whose vault has the card.' }),
  ),
  created_at: TimestampOut(),
})

export const TokenData = Type.Object({ payment_token: PaymentTokenSchema })
export const TokensData = Type.Object({ payment_tokens: Nullable(Type.Array(PaymentTokenSchema)) })

export const TokenEventData = Type.Object({
  payment_token: Resource('PaymentTokenOfEvent', {
    ...PaymentTokenSchema.properties,
    customer_uuid: Type.String(),
  }),
})

export const CustomerSchema = Resource('Customer', {
  uuid: Type.String(),
  reference_number: Type.String(),
  name: Type.Optional(Type.String()),
  email: Type.Optional(Type.String()),
  dial_code: Type.String(),
  phone: Type.Optional(Type.String()),
  company_name: Type.Optional(Type.String()),
  default_payment_method: Type.Optional(OneOf(PAYMENT_METHODS)),
  default_payment_token: Type.Optional(PaymentTokenSchema),
  metadata: MetadataOut(),
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
  erased_at: Type.Optional(TimestampOut({ description: 'When the erasure of the personal data began.' })),
})

export const CustomerData = Type.Object({ customer: CustomerSchema })

export const ErasedEventData = Type.Object({
  customer: Resource('ErasedCustomer', {
    uuid: Type.String(),
    erased_at: TimestampOut(),
  }),
})

const CustomerSessionSchema = Resource('CustomerSession', {
  token: Type.String({ description: 'Valid for 15 minutes' }),
  expires_at: TimestampOut(),
})

export const CustomerSessionData = Type.Object({ customer_session: CustomerSessionSchema })

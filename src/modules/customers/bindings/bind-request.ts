import Type, { type Static } from 'typebox'
import { EXPECTED, HttpUrl, OneOf, strictObject, Text } from '#platform/http/validation/schemas'
import { containsCardNumber } from '#platform/security/redaction'
import { TOKEN_TYPES } from '../model/payment-token.ts'

const digits = (pattern: string, expected: string, description: string) =>
  Type.String({ pattern, description, [EXPECTED]: expected })

/** The name is stored and shown in plain text, which is forbidden for a card number. */
const HolderName = Type.Refine(
  Text({ max: 255 }),
  (name) => !containsCardNumber(name),
  () => 'must not hold a card number',
)

export const BindRequestSchema = strictObject({
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
  acquirer_account_id: Type.Optional(
    Text({
      max: 255,
      description:
        'Of a wallet: the account that makes the agreement. Default: the one that routing chooses.',
    }),
  ),
  default: Type.Optional(
    Type.Boolean({
      description:
        'Whether the token becomes the default. The first active token does, unless this is false.',
    }),
  ),
  return_url: Type.Optional(HttpUrl({ description: 'Where the payer goes after the verification page.' })),
})
export type BindRequest = Static<typeof BindRequestSchema>
export type CardRequest = NonNullable<BindRequest['credit_card']>

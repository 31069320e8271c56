import Type, { type Static } from 'typebox'
import { Amount, EXPECTED, OneOf, strictObject, Text } from '#platform/http/validation/schemas'
import { PAYMENT_METHODS } from '../model/account.ts'
import { CHOICES, MAX_RULE_ACCOUNTS, MAX_WEIGHT, SOURCES } from '../model/rule.ts'

const Id = () => Text({ max: 64 })
const Currency = () => Text({ max: 3, description: 'ISO 4217.' })
const Country = () =>
  Type.String({
    pattern: '^[A-Z]{2}$',
    description: 'Country of the card, ISO 3166-1 alpha-2.',
    [EXPECTED]: 'a country code of two capital letters, such as HK',
  })
const Brand = () => Text({ max: 32, description: '`visa`, `mastercard`, …' })

export const NewRuleSchema = strictObject({
  when: Type.Optional(
    strictObject(
      {
        currency: Type.Optional(Currency()),
        min_amount: Type.Optional(
          Amount({ description: 'In the currency of the rule, or else of the payment.' }),
        ),
        max_amount: Type.Optional(Amount()),
        brand: Type.Optional(Brand()),
        country: Type.Optional(Country()),
        payment_method: Type.Optional(OneOf(PAYMENT_METHODS)),
        source: Type.Optional(OneOf(SOURCES)),
      },
      { description: 'All of these must hold. Without any, the rule matches every payment.' },
    ),
  ),
  accounts: Type.Array(
    strictObject({
      id: Id(),
      weight: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_WEIGHT,
          description: "The account's share of the payments. Default 1.",
        }),
      ),
    }),
    { minItems: 1, maxItems: MAX_RULE_ACCOUNTS },
  ),
  by: Type.Optional(
    OneOf(CHOICES, {
      description: 'Choose the account that approved most. Weights decide between equals.',
    }),
  ),
  fallback: Type.Optional(
    Type.Array(Id(), {
      maxItems: MAX_RULE_ACCOUNTS,
      description: 'Accounts that are tried next after a refusal or a soft decline, in this order.',
    }),
  ),
})
export type NewRule = Static<typeof NewRuleSchema>

export const PreviewRoutingBody = strictObject({
  amount: Amount(),
  currency: Currency(),
  brand: Type.Optional(Brand()),
  country: Type.Optional(Country()),
  payment_method: Type.Optional(OneOf(PAYMENT_METHODS, { description: 'Default `credit_card`.' })),
  source: Type.Optional(OneOf(SOURCES, { description: 'Default `one_off`.' })),
  raw_card_number: Type.Optional(
    Type.Boolean({ description: 'True for a payment with a full card number. Default false.' }),
  ),
})
export type PreviewRequest = Static<typeof PreviewRoutingBody>

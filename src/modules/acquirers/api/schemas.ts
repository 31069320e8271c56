import Type from 'typebox'
import {
  Amount,
  AmountOut,
  EXPECTED,
  HttpUrl,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TextLine,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { ACCOUNT_STATES, PAYMENT_METHODS, WALLETS } from '../model/account.ts'
import { DOMAIN_STATES } from '../model/domain-file.ts'
import { ACQUIRER_NAMES } from '../port/adapter.ts'
import { CHOICES, MAX_RULE_ACCOUNTS, MAX_RULES, MAX_WEIGHT, SOURCES } from '../model/rule.ts'

const Id = () => Text({ max: 64 })
const Currency = () => Text({ max: 3, description: 'ISO 4217.' })
const Country = () =>
  Type.String({
    pattern: '^[A-Z]{2}$',
    description: 'Country of the card, ISO 3166-1 alpha-2.',
    [EXPECTED]: 'a country code of two capital letters, such as HK',
  })
const Brand = () => Text({ max: 32, description: '`visa`, `mastercard`, …' })
const Credential = () => Type.Optional(Text({ max: 2_000 }))

const Credentials = strictObject(
  {
    secret_key: Credential(),
    publishable_key: Credential(),
    webhook_secret: Credential(),
    api_key: Credential(),
    client_key: Credential(),
    merchant_account: Credential(),
    hmac_key: Credential(),
    client_id: Credential(),
    account_id: Credential(),
  },
  {
    description:
      'Stripe: secret_key, publishable_key and webhook_secret. Adyen: api_key, client_key, merchant_account and hmac_key. Airwallex: client_id, api_key, webhook_secret (several are separated by commas) and, for keys that reach several accounts, account_id. Checked with the acquirer, stored encrypted and never shown.',
  },
)

const Wallets = (description: string) =>
  strictObject(
    { wallet_a: Type.Optional(OneOf(WALLETS.wallet_a)), wallet_b: Type.Optional(OneOf(WALLETS.wallet_b)) },
    { description },
  )

const settings = {
  api_base: Type.Optional(
    HttpUrl({
      description:
        'Where the acquirer is called, without the path of a version. Needed for Adyen in live environments.',
    }),
  ),
  statement_descriptor: Type.Optional(
    Nullable(TextLine({ max: 22, description: 'What payers see on their statements.' })),
  ),
  methods: Type.Optional(
    Type.Array(OneOf(PAYMENT_METHODS), {
      minItems: 1,
      maxItems: PAYMENT_METHODS.length,
      description:
        'Payment methods that the account takes. Default `credit_card`, which includes stored cards.',
    }),
  ),
  currencies: Type.Optional(
    Type.Array(Currency(), {
      maxItems: 200,
      description: 'Currencies that the account takes. Empty means all.',
    }),
  ),
  wallets: Type.Optional(
    Wallets(
      'Airwallex only: the wallets that pay as `wallet_a_pay` and `wallet_b`. Default `wechat_pay`, and the first of `alipay_hk` and `alipay` that Airwallex has opened for the account.',
    ),
  ),
  raw_card_numbers: Type.Optional(
    Type.Boolean({ description: 'Whether full card numbers may be sent to the acquirer. Default false.' }),
  ),
  apple_pay_domain_file: Type.Optional(
    Nullable(
      Text({
        max: 20_000,
        min: 0,
        description:
          "Airwallex only: the content of Airwallex's file `apple-developer-merchantid-domain-association`, which is served on the host of the payment pages. Whenever it is set, the domain is registered with Airwallex. Null or empty removes it.",
      }),
    ),
  ),
}

export const CreateAccountBody = strictObject({
  acquirer_account: strictObject({
    acquirer: OneOf(ACQUIRER_NAMES),
    name: Text({ max: 255 }),
    credentials: Credentials,
    ...settings,
  }),
})

export const UpdateAccountBody = strictObject({
  acquirer_account: strictObject({
    acquirer: Type.Optional(OneOf(ACQUIRER_NAMES, { description: 'Cannot be changed.' })),
    name: Type.Optional(Text({ max: 255 })),
    credentials: Type.Optional(Credentials),
    ...settings,
  }),
})

export const AccountSchema = Resource('AcquirerAccount', {
  id: Type.String(),
  acquirer: OneOf(ACQUIRER_NAMES),
  name: Type.String(),
  state: OneOf(ACCOUNT_STATES),
  webhook_url: Type.String({ description: 'Register this URL with the acquirer.' }),
  api_base: Type.String(),
  merchant_id: Type.String({ description: "The acquirer's own id of the account." }),
  statement_descriptor: Type.Optional(Type.String()),
  methods: Type.Array(OneOf(PAYMENT_METHODS)),
  currencies: Type.Array(Type.String(), { description: 'Empty means all.' }),
  raw_card_numbers: Type.Boolean(),
  wallets: Type.Optional(Wallets('The wallets that pay as `wallet_a_pay` and `wallet_b`.')),
  apple_pay_domain_file: Type.Optional(Type.String()),
  apple_pay_domain: Type.Optional(
    Type.Object({
      name: Nullable(
        Type.String({ description: 'The host of the payment pages. Null where that is no public name.' }),
      ),
      state: OneOf(DOMAIN_STATES, {
        description: 'Whether the acquirer has registered the domain. Setting the file again asks again.',
      }),
      message: Type.Optional(Type.String({ description: 'Why it is not registered.' })),
    }),
  ),
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
})

export const AccountData = Type.Object({ acquirer_account: AccountSchema })

export const PutRoutingBody = strictObject({
  routing: strictObject({
    rules: Type.Array(
      strictObject({
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
      }),
      { maxItems: MAX_RULES },
    ),
  }),
})

export const RuleSchema = Type.Object({
  when: Type.Object({
    currency: Type.Optional(Type.String()),
    min_amount: Type.Optional(AmountOut()),
    max_amount: Type.Optional(AmountOut()),
    brand: Type.Optional(Type.String()),
    country: Type.Optional(Type.String()),
    payment_method: Type.Optional(OneOf(PAYMENT_METHODS)),
    source: Type.Optional(OneOf(SOURCES)),
  }),
  accounts: Type.Array(Type.Object({ id: Type.String(), weight: Type.Integer() })),
  by: Type.Optional(OneOf(CHOICES)),
  fallback: Type.Array(Type.String()),
})

const RoutingSchema = Resource('Routing', {
  rules: Type.Array(RuleSchema),
  updated_at: Nullable(TimestampOut({ description: 'Null when no rules were ever set.' })),
})

export const RoutingData = Type.Object({ routing: RoutingSchema })

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

export const PreviewSchema = Type.Object({
  rule: Nullable(
    Type.Integer({ description: 'The position of the rule that decides, from 0. Null if none does.' }),
  ),
  account: Nullable(Type.String({ description: 'Null when no account can take the payment.' })),
  fallback: Type.Array(Type.String()),
  reason: Type.String(),
  candidates: Type.Array(
    Type.Object({
      id: Type.String(),
      left_out: Nullable(Type.String({ description: 'Why the account cannot take the payment.' })),
      success_rate: Nullable(
        Type.Number({ description: 'From 0 to 1, over the last hour. Null with fewer than 20 payments.' }),
      ),
      latency_ms: Nullable(Type.Integer()),
    }),
  ),
})

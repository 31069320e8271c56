import Type, { type Static } from 'typebox'
import { HttpUrl, Nullable, OneOf, strictObject, Text, TextLine } from '#platform/http/validation/schemas'
import { PAYMENT_METHODS, WALLETS } from '../model/account.ts'
import { ACQUIRER_NAMES } from '../port/adapter.ts'

const Currency = () => Text({ max: 3, description: 'ISO 4217.' })
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

export const Wallets = (description: string) =>
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

export const NewAccountSchema = strictObject({
  acquirer: OneOf(ACQUIRER_NAMES),
  name: Text({ max: 255 }),
  credentials: Credentials,
  ...settings,
})
export type NewAccount = Static<typeof NewAccountSchema>

export const AccountEditSchema = strictObject({
  acquirer: Type.Optional(OneOf(ACQUIRER_NAMES, { description: 'Cannot be changed.' })),
  name: Type.Optional(Text({ max: 255 })),
  credentials: Type.Optional(Credentials),
  ...settings,
})
export type AccountEdit = Static<typeof AccountEditSchema>

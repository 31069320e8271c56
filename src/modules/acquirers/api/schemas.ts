import Type from 'typebox'
import {
  AmountOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { ACCOUNT_STATES, PAYMENT_METHODS } from '../model/account.ts'
import { DOMAIN_STATES } from '../model/domain-file.ts'
import { ACQUIRER_NAMES } from '../port/adapter.ts'
import { CHOICES, MAX_RULES, SOURCES } from '../model/rule.ts'
import { AccountEditSchema, NewAccountSchema, Wallets } from '../accounts/account-requests.ts'
import { NewRuleSchema } from '../routing/routing-requests.ts'

export const CreateAccountBody = strictObject({ acquirer_account: NewAccountSchema })

export const UpdateAccountBody = strictObject({ acquirer_account: AccountEditSchema })

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
  routing: strictObject({ rules: Type.Array(NewRuleSchema, { maxItems: MAX_RULES }) }),
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

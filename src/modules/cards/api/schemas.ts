import Type from 'typebox'
import {
  Country,
  DecimalString,
  EXPECTED,
  HttpUrl,
  MetadataBody,
  MetadataOut,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { DECLINE_REASONS, HOOK_DECISIONS } from '../model/authorization.ts'
import { AUTHORIZATION_STATES } from '../model/authorization.states.ts'
import { CARD_MODES, CARD_TYPES } from '../model/card.ts'
import { CARD_STATUSES, PHYSICAL_STATUSES } from '../model/card.states.ts'
import { MAX_HOOK_TIMEOUT_MS } from '../hooks/decision-hook.ts'
import { LIMIT_PERIODS, LIMIT_STATUSES } from '../model/limit.ts'
import { COUNTED_PERIODS } from '../model/spending-controls.ts'

const LimitAmount = DecimalString({
  description: 'At most 100000000000, with no more decimals than the currency has.',
})
const Mcc = Type.String({
  pattern: '^[0-9]{4}$',
  description: 'Merchant category, ISO 18245: four digits.',
  [EXPECTED]: 'a merchant category as a string of four digits, such as "5411"',
})
const Currency = Type.String({
  pattern: '^[A-Z]{3}$',
  description: 'ISO 4217.',
  [EXPECTED]: 'an ISO 4217 code of three capital letters, such as HKD',
})
const TimeZone = Text({
  max: 64,
  description: "The IANA time zone in which limits reset. Default of a new card: the business's time zone.",
})

const MAX_CATEGORIES = 500
const MAX_COUNTRIES = 250
/** An empty list would decline everything. Locking the card says that better. */
const ALLOWED = { minItems: 1, description: 'At least one. If left out, everything is allowed.' }

const SpendingControlsSchema = strictObject(
  {
    allowed_categories: Type.Optional(Type.Array(Mcc, { maxItems: MAX_CATEGORIES, ...ALLOWED })),
    blocked_categories: Type.Optional(Type.Array(Mcc, { maxItems: MAX_CATEGORIES })),
    allowed_countries: Type.Optional(Type.Array(Country, { maxItems: MAX_COUNTRIES, ...ALLOWED })),
    blocked_countries: Type.Optional(Type.Array(Country, { maxItems: MAX_COUNTRIES })),
    count_limits: Type.Optional(
      Type.Array(
        strictObject({
          period: OneOf(COUNTED_PERIODS),
          count: Type.Integer({
            minimum: 1,
            maximum: 1_000_000_000,
            description:
              'The maximum number of approvals in the period. Fully reversed authorizations do not count.',
          }),
        }),
        { maxItems: 10, description: 'At most one of each period.' },
      ),
    ),
    single_use: Type.Optional(Type.Boolean({ description: 'Whether the card allows one approval only.' })),
  },
  { title: 'SpendingControls', description: 'An edit replaces all of them.' },
)

const newLimit = {
  period: OneOf(LIMIT_PERIODS),
  limit_amount: LimitAmount,
  status: Type.Optional(OneOf(LIMIT_STATUSES)),
}
const NewLimit = strictObject(newLimit, { title: 'NewCardLimit' })

export const IssueBody = strictObject({
  card: strictObject({
    reference_id: Text({ max: 255, description: 'Your unique id of the card.' }),
    type: OneOf(CARD_TYPES),
    title: Type.Optional(Text({ max: 255, min: 0 })),
    settlement_currency: Currency,
    mode: OneOf(CARD_MODES, { description: 'Responses show the linked user as p_user_id only for B2C.' }),
    business_name: Type.Optional(Text({ max: 255, description: "Default: the business's name." })),
    limits: Type.Optional(Type.Array(NewLimit, { maxItems: 10, description: 'At most one of each period.' })),
    time_zone: Type.Optional(TimeZone),
    spending_controls: Type.Optional(SpendingControlsSchema),
    funding_wallet_id: Type.Optional(
      Text({ max: 255, description: "The wallet that pays for the card's authorizations." }),
    ),
    metadata: MetadataBody(),
  }),
})

export const EditBody = strictObject({
  card: strictObject({
    title: Type.Optional(Text({ max: 255, min: 0 })),
    time_zone: Type.Optional(TimeZone),
    spending_controls: Type.Optional(SpendingControlsSchema),
    metadata: MetadataBody(),
  }),
})

export const LinkBody = strictObject({
  card_reference_id: Text({ max: 255, description: "The card's reference_id." }),
  p_user_id: Text({ max: 255, description: 'Your user, to whom the card is linked.' }),
})

export const StatusBody = strictObject({
  status: Type.Optional(OneOf(CARD_STATUSES)),
  physical_status: Type.Optional(OneOf(PHYSICAL_STATUSES)),
  remark: Type.Optional(Text({ max: 1_000, min: 0 })),
})

export const AddLimitBody = strictObject({ limit: NewLimit })

export const EditLimitsBody = strictObject({
  limits: Type.Array(strictObject({ id: Text({ max: 255 }), ...newLimit }), { minItems: 1, maxItems: 20 }),
  remark: Type.Optional(Text({ max: 1_000, min: 0 })),
})

export const AuthorizeBody = strictObject({
  authorization: strictObject({
    amount: DecimalString(),
    currency: Currency,
    merchant: strictObject({ name: Text({ max: 255 }), mcc: Mcc, country: Country }),
    reference_id: Text({
      max: 255,
      description: 'Your id of the request. A repeated id gets the first decision.',
    }),
  }),
})

const Amount = Type.Optional(DecimalString({ description: 'Default: all that is left.' }))
const ReferenceId = Type.Optional(
  Text({ max: 255, description: 'Your id of the request. A repeated id gets the first response.' }),
)

export const CaptureBody = strictObject({
  amount: Amount,
  final: Type.Optional(
    Type.Boolean({ description: 'Releases the rest of the hold. Default: true if amount is left out.' }),
  ),
  reference_id: ReferenceId,
})
export const RefundBody = strictObject({ amount: Amount, reference_id: ReferenceId })
export const ReverseBody = strictObject({ amount: Amount })

export const HookBody = strictObject({
  decision_hook: strictObject({
    url: HttpUrl({ description: 'Receives {authorization} and responds with {approved}.' }),
    timeout_ms: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_HOOK_TIMEOUT_MS,
        description: `Default ${MAX_HOOK_TIMEOUT_MS}.`,
      }),
    ),
    on_silence: OneOf(HOOK_DECISIONS),
  }),
})

const CardLimitSchema = Resource('CardLimit', {
  id: Type.String(),
  period: OneOf(LIMIT_PERIODS),
  limit_amount: Type.String(),
  used_amount: Type.String({ description: 'What is held and captured in the current window.' }),
  status: OneOf(LIMIT_STATUSES),
})

export const CardSchema = Resource('Card', {
  id: Type.String(),
  title: Type.String(),
  type: OneOf(CARD_TYPES),
  mode: OneOf(CARD_MODES),
  status: OneOf(CARD_STATUSES),
  physical_status: OneOf(PHYSICAL_STATUSES),
  status_remark: Type.Optional(Type.String()),
  settlement_currency: Type.String(),
  first_6_digits: Type.String(),
  last_4_digits: Type.String(),
  issuer_brand: Type.String(),
  reference_id: Type.String(),
  p_user_id: Type.Optional(Type.String()),
  business_name: Type.String(),
  p_created_at: TimestampOut(),
  expiration_date: Type.String({ description: 'MM/YYYY' }),
  time_zone: Type.String(),
  spending_controls: SpendingControlsSchema,
  funding_wallet_id: Type.Optional(Type.String()),
  metadata: MetadataOut(),
  limits: Type.Array(CardLimitSchema),
})

export const CardData = Type.Object({ card: CardSchema })

export const LinkedCardSchema = Resource('LinkedCard', {
  id: Type.String(),
  p_user_id: Type.Optional(Type.String({ description: 'Present when the mode is B2C.' })),
  title: Type.String(),
  type: OneOf(CARD_TYPES),
  expiration_date: Type.String({ description: 'MM/YYYY' }),
  settlement_currency: Type.String(),
  first_6_digits: Type.String(),
  last_4_digits: Type.String(),
  status: OneOf(CARD_STATUSES),
  pan: Type.String({ description: "Masked, or a JWE to the app's encryption key." }),
  issuer_brand: Type.String(),
  is_encrypt: Type.Boolean(),
  reference_id: Type.String(),
  business_name: Type.String(),
  metadata: MetadataOut(),
})

export const LimitChangeSchema = Resource('CardLimitChange', {
  id: Type.String(),
  remark: Type.String(),
  card_limit: Type.String({ description: 'The limit id.' }),
  limit_amount: Type.String(),
  p_created_at: TimestampOut({ description: 'When it was changed.' }),
})

export const AuthorizationSchema = Resource('CardAuthorization', {
  uuid: Type.String(),
  card_id: Type.String(),
  state: OneOf(AUTHORIZATION_STATES),
  approved: Type.Boolean(),
  decline_reason: Type.Optional(OneOf(DECLINE_REASONS)),
  amount: Type.String({ description: 'What was authorized. It never changes.' }),
  held_amount: Type.String(),
  captured_amount: Type.String(),
  refunded_amount: Type.String(),
  currency: Type.String(),
  merchant: Type.Object({ name: Type.String(), mcc: Type.String(), country: Type.String() }),
  reference_id: Type.String(),
  p_created_at: TimestampOut(),
})

export const AuthorizationData = Type.Object({ authorization: AuthorizationSchema })

const HookSchema = Resource('DecisionHook', {
  url: Type.String(),
  timeout_ms: Type.Integer(),
  on_silence: OneOf(HOOK_DECISIONS),
  secret: Type.Optional(Type.String({ description: 'whsec_…, shown once.' })),
})

export const HookData = Type.Object({ decision_hook: HookSchema })

import Type from 'typebox'
import {
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
import { HookRequestSchema } from '../hooks/decision-hook.ts'
import { LIMIT_PERIODS, LIMIT_STATUSES } from '../model/limit.ts'
import {
  AuthorizeRequestSchema,
  EditRequestSchema,
  IssueRequestSchema,
  LimitEditSchema,
  NewLimitSchema,
} from '../model/requests.ts'
import { SpendingControlsSchema } from '../model/spending-controls-schema.ts'

export const IssueBody = strictObject({ card: IssueRequestSchema })
export const EditBody = strictObject({ card: EditRequestSchema })
export const AddLimitBody = strictObject({ limit: NewLimitSchema })
export const EditLimitsBody = strictObject({
  limits: Type.Array(LimitEditSchema, { minItems: 1, maxItems: 20 }),
  remark: Type.Optional(Text({ max: 1_000, min: 0 })),
})
export const AuthorizeBody = strictObject({ authorization: AuthorizeRequestSchema })
export const HookBody = strictObject({ decision_hook: HookRequestSchema })

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

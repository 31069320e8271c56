import Type, { type Static } from 'typebox'
import {
  Country,
  DecimalString,
  EXPECTED,
  MetadataBody,
  OneOf,
  strictObject,
  Text,
} from '#platform/http/validation/schemas'
import { CARD_MODES, CARD_TYPES } from './card.ts'
import { CARD_STATUSES, PHYSICAL_STATUSES } from './card.states.ts'
import { LIMIT_PERIODS, LIMIT_STATUSES } from './limit.ts'
import { Mcc, SpendingControlsSchema } from './spending-controls-schema.ts'

const LimitAmount = DecimalString({
  description: 'At most 100000000000, with no more decimals than the currency has.',
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

const newLimit = {
  period: OneOf(LIMIT_PERIODS),
  limit_amount: LimitAmount,
  status: Type.Optional(OneOf(LIMIT_STATUSES)),
}
export const NewLimitSchema = strictObject(newLimit, { title: 'NewCardLimit' })
export type NewLimit = Static<typeof NewLimitSchema>

export const IssueRequestSchema = strictObject({
  reference_id: Text({ max: 255, description: 'Your unique id of the card.' }),
  type: OneOf(CARD_TYPES),
  title: Type.Optional(Text({ max: 255, min: 0 })),
  settlement_currency: Currency,
  mode: OneOf(CARD_MODES, { description: 'Responses show the linked user as p_user_id only for B2C.' }),
  business_name: Type.Optional(Text({ max: 255, description: "Default: the business's name." })),
  limits: Type.Optional(
    Type.Array(NewLimitSchema, { maxItems: 10, description: 'At most one of each period.' }),
  ),
  time_zone: Type.Optional(TimeZone),
  spending_controls: Type.Optional(SpendingControlsSchema),
  funding_wallet_id: Type.Optional(
    Text({ max: 255, description: "The wallet that pays for the card's authorizations." }),
  ),
  metadata: MetadataBody(),
})
export type IssueRequest = Static<typeof IssueRequestSchema>

export const EditRequestSchema = strictObject({
  title: Type.Optional(Text({ max: 255, min: 0 })),
  time_zone: Type.Optional(TimeZone),
  spending_controls: Type.Optional(SpendingControlsSchema),
  metadata: MetadataBody(),
})
export type EditRequest = Static<typeof EditRequestSchema>

export const LinkBody = strictObject({
  card_reference_id: Text({ max: 255, description: "The card's reference_id." }),
  p_user_id: Text({ max: 255, description: 'Your user, to whom the card is linked.' }),
})
export type LinkRequest = Static<typeof LinkBody>

export const StatusBody = strictObject({
  status: Type.Optional(OneOf(CARD_STATUSES)),
  physical_status: Type.Optional(OneOf(PHYSICAL_STATUSES)),
  remark: Type.Optional(Text({ max: 1_000, min: 0 })),
})
export type StatusRequest = Static<typeof StatusBody>

export const LimitEditSchema = strictObject({ id: Text({ max: 255 }), ...newLimit })
export type LimitEdit = Static<typeof LimitEditSchema>

export const AuthorizeRequestSchema = strictObject({
  amount: DecimalString(),
  currency: Currency,
  merchant: strictObject({ name: Text({ max: 255 }), mcc: Mcc, country: Country }),
  reference_id: Text({
    max: 255,
    description: 'Your id of the request. A repeated id gets the first decision.',
  }),
})
export type AuthorizeRequest = Static<typeof AuthorizeRequestSchema>

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
export type CaptureRequest = Static<typeof CaptureBody>
export const RefundBody = strictObject({ amount: Amount, reference_id: ReferenceId })
export type RefundRequest = Static<typeof RefundBody>
export const ReverseBody = strictObject({ amount: Amount })
export type ReverseRequest = Static<typeof ReverseBody>

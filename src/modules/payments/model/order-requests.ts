import Type, { type Static } from 'typebox'
import {
  Amount,
  DateOnly,
  HttpUrl,
  MetadataBody,
  Nullable,
  OneOf,
  strictObject,
  Text,
} from '#platform/http/validation/schemas'
import { PURCHASABLE_TYPES } from './order.ts'

/** The bound is far above any real quantity. The total of a line has its own bound, the digits of an amount. */
const MAX_QUANTITY = 1_000_000_000

const LineItemBody = strictObject(
  {
    purchasable_type: OneOf(PURCHASABLE_TYPES),
    // JSON numbers beyond the safe integers would lose digits.
    purchase_id: Type.Optional(
      Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    ),
    price: Amount({ description: 'The price of one piece; negative for a discount.' }),
    quantity: Type.Integer({ minimum: 1, maximum: MAX_QUANTITY }),
    label: Type.Optional(Text({ max: 255 })),
  },
  { title: 'NewLineItem' },
)

export const NewOrderSchema = strictObject({
  reference_number: Text({
    max: 255,
    description: 'Your own number of the order, unique in the environment.',
  }),
  currency: Text({ max: 3, min: 3, description: 'ISO 4217.' }),
  initial_total: Type.Optional(Amount({ description: 'Includes tips. Default: the sum of the lines.' })),
  initial_tips: Type.Optional(
    Amount({
      description: 'The part of initial_total that is tips. With line_items: the sum of the RearTips lines.',
    }),
  ),
  line_items: Type.Optional(Nullable(Type.Array(LineItemBody, { minItems: 1, maxItems: 500 }))),
  due_date: Type.Optional(Nullable(DateOnly({ description: 'Shown on the order. It has no effect.' }))),
  customer_uuid: Type.Optional(
    Text({ max: 255, description: 'The order takes only payment tokens of this customer.' }),
  ),
  return_url: Type.Optional(
    HttpUrl({
      description:
        'Where the payment link sends the payer in the end, with order_number, reference_number and result (paid, failed, canceled or expired) added to its query.',
    }),
  ),
  notify_url: Type.Optional(HttpUrl({ description: 'Receives the events of the order.' })),
  timeout: Type.Optional(
    strictObject({
      timer: Text({ max: 64, description: 'Seconds, or an ISO 8601 duration.' }),
      url: Type.Optional(HttpUrl({ description: 'Where pages send the payer once the time has run out.' })),
    }),
  ),
  metadata: MetadataBody(),
})
export type CreateOrderRequest = Static<typeof NewOrderSchema>

export const OrderIdentifiersSchema = strictObject(
  {
    number: Type.Optional(Text({ max: 255 })),
    reference_number: Type.Optional(Text({ max: 255 })),
  },
  { title: 'OrderIdentifiers', description: 'Send at least one. Two must name the same order.' },
)
export type OrderIdentifiers = Static<typeof OrderIdentifiersSchema>

const TransactionIdentifiersSchema = strictObject(
  {
    uuid: Type.Optional(Text({ max: 255 })),
    reference_id: Type.Optional(Text({ max: 255 })),
  },
  { title: 'TransactionIdentifiers', description: 'Send at least one. Two must name the same transaction.' },
)
export type TransactionIdentifiers = Static<typeof TransactionIdentifiersSchema>

export const CheckOrderBody = strictObject({
  order: Type.Optional(OrderIdentifiersSchema),
  transaction: Type.Optional(strictObject({ uuid: Text({ max: 255 }) })),
})
export type CheckOrderRequest = Static<typeof CheckOrderBody>

export const DecideOutcomeBody = strictObject({
  transaction: TransactionIdentifiersSchema,
  outcome: OneOf(['succeeded', 'failed']),
  new_gateway_txn_id: Type.Optional(
    Text({ max: 255, description: 'The id that you found at the acquirer.' }),
  ),
})
export type DecideOutcomeRequest = Static<typeof DecideOutcomeBody>

export const FollowUpBody = strictObject({
  transaction: TransactionIdentifiersSchema,
  amount: Type.Optional(Amount({ description: 'Default: all that is left.' })),
  note: Type.Optional(Nullable(Text({ max: 1_000 }))),
  reference_id: Type.Optional(Text({ max: 255, description: 'Your unique id of the new transaction.' })),
})
export type FollowUpRequest = Static<typeof FollowUpBody>

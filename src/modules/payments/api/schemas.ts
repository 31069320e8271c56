import Type, { type Static } from 'typebox'
import { PageSchema } from '#platform/http/validation/list'
import type { Failure } from '#platform/http/routes/route'
import {
  Amount,
  AmountOut,
  DateOnly,
  HttpUrl,
  KeyOf,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { CORRESPONDENCE_STATES, ORDER_SOURCES, ORDER_TYPES, PURCHASABLE_TYPES } from '../model/order.ts'
import { ORDER_STATES } from '../model/order.states.ts'
import { TRANSACTION_STATES } from '../model/transaction.states.ts'
import { PAYMENT_METHODS, TRANSACTION_TYPES } from '../model/transaction.ts'

/** More than anybody sells of one thing at once. What lines come to is held to an amount's digits besides. */
const MAX_QUANTITY = 1_000_000_000

const LineItemBody = strictObject(
  {
    purchasable_type: OneOf(PURCHASABLE_TYPES),
    // Safe integers only: JSON numbers beyond them are not held exactly.
    purchase_id: Type.Optional(
      Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
    ),
    price: Amount({ description: 'Of one piece; negative for a discount.' }),
    quantity: Type.Integer({ minimum: 1, maximum: MAX_QUANTITY }),
    label: Type.Optional(Text({ max: 255 })),
  },
  { title: 'NewLineItem' },
)

const OrderBody = strictObject({
  reference_number: Text({ max: 255, description: 'Your unique number of the order.' }),
  currency: Text({ max: 3, min: 3, description: 'ISO 4217.' }),
  initial_total: Type.Optional(Amount({ description: 'Tips included. Default: what the lines sum to.' })),
  initial_tips: Type.Optional(
    Amount({ description: 'A part of initial_total. With line_items, what its RearTips lines sum to.' }),
  ),
  line_items: Type.Optional(Nullable(Type.Array(LineItemBody, { minItems: 1, maxItems: 500 }))),
  due_date: Type.Optional(Nullable(DateOnly({ description: 'Shown; has no effect.' }))),
  customer_uuid: Type.Optional(Text({ max: 255, description: 'Only tokens of this customer are taken.' })),
  return_url: Type.Optional(
    HttpUrl({
      description:
        'Where the payment link sends the payer in the end, with order_number, reference_number and result (paid, failed, canceled or expired) added to its query.',
    }),
  ),
  notify_url: Type.Optional(HttpUrl({ description: 'Called after the order changes.' })),
  timeout: Type.Optional(
    strictObject({
      timer: Text({ max: 64, description: 'Seconds, or an ISO 8601 duration.' }),
      url: Type.Optional(HttpUrl({ description: 'Where the payer goes when the time has run out.' })),
    }),
  ),
})

export const CreateOrderBody = strictObject({ order: OrderBody })
export type CreateOrderRequest = Static<typeof OrderBody>

const OrderIdentifiers = strictObject(
  {
    number: Type.Optional(Text({ max: 255 })),
    reference_number: Type.Optional(Text({ max: 255 })),
  },
  { title: 'OrderIdentifiers', description: 'At least one; two must name the same order.' },
)
export type OrderIdentifiersRequest = Static<typeof OrderIdentifiers>

export const CheckOrderBody = strictObject({
  order: Type.Optional(OrderIdentifiers),
  transaction: Type.Optional(strictObject({ uuid: Text({ max: 255 }) })),
})
export type CheckOrderRequest = Static<typeof CheckOrderBody>

export const VoidOrderBody = strictObject({ order: OrderIdentifiers })

const PaymentBody = strictObject({
  type: OneOf(['Sales', 'Authorization']),
  amount: Type.Optional(Amount({ description: 'Default: all that is left.' })),
  payment_token: Text({ max: 255 }),
  reference_id: Type.Optional(Text({ max: 255, description: 'Your unique id of the transaction.' })),
})
export const PayOrderBody = strictObject({ order: OrderIdentifiers, transaction: PaymentBody })
export type PayOrderRequest = Static<typeof PayOrderBody>

const TransactionIdentifiers = strictObject(
  {
    uuid: Type.Optional(Text({ max: 255 })),
    reference_id: Type.Optional(Text({ max: 255 })),
  },
  { title: 'TransactionIdentifiers', description: 'At least one; two must name the same transaction.' },
)
export type TransactionIdentifiersRequest = Static<typeof TransactionIdentifiers>

export const FollowUpBody = strictObject({
  transaction: TransactionIdentifiers,
  amount: Type.Optional(Amount({ description: 'Default: all that is left.' })),
  note: Type.Optional(Nullable(Text({ max: 1_000 }))),
  reference_id: Type.Optional(Text({ max: 255, description: 'Your unique id of the new transaction.' })),
})
export type FollowUpRequestBody = Static<typeof FollowUpBody>

/** It makes no transaction of its own that could have an id. */
export const VoidTransactionBody = strictObject({
  ...FollowUpBody.properties,
  amount: Type.Optional(Amount({ description: 'May be named, and must be the whole amount then.' })),
  reference_id: Type.Optional(
    Text({ max: 255, description: 'Not kept: a void can be sent again without it.' }),
  ),
})

const WithPaymentLink = Type.Optional(
  Type.Boolean({ description: 'Adds `payment_link`, where the payer can pay.' }),
)
export const PaymentLinkQuery = strictObject({ with_payment_link: WithPaymentLink })
export const CheckOrderQuery = strictObject({
  with_payment_link: WithPaymentLink,
  with_download_link: Type.Optional(
    Type.Boolean({ description: 'Adds `download_link`, of the invoice or the receipt as a PDF.' }),
  ),
})

const LineItemSchema = Resource('LineItem', {
  uuid: Type.String(),
  purchasable_type: OneOf(PURCHASABLE_TYPES),
  purchase_id: Type.Optional(Type.Integer()),
  price: AmountOut(),
  quantity: Type.Integer(),
  total: AmountOut(),
  label: Type.Optional(Type.String()),
})

const NextActionSchema = Resource('NextAction', {
  type: Type.String({ examples: ['three_d_secure', 'wallet_confirmation'] }),
  url: Type.String({ description: 'Where to send the payer.' }),
})

const TransactionSchema = Resource('Transaction', {
  type: OneOf(TRANSACTION_TYPES),
  uuid: Type.String(),
  currency: Type.String(),
  amount: AmountOut({ description: 'Negative for a Refund.' }),
  success: Type.Boolean({ description: 'False again once it is voided.' }),
  is_pending: Type.Boolean({ description: 'Its outcome is not known yet, or waits for the payer.' }),
  captured: Type.Boolean({ description: 'Of an Authorization: something of it was captured.' }),
  allow_void: Type.Boolean(),
  allow_refund: Type.Boolean(),
  void_is_pending: Type.Boolean({ description: 'The outcome of its void is not known yet.' }),
  payment_method: OneOf(PAYMENT_METHODS),
  note: Nullable(Type.String()),
  payment_data: Resource('PaymentData', {
    acquirer_name: Type.String(),
    acquirer_type: OneOf(['card', 'wallet']),
    brn: Type.String({ description: 'Settlement batch.' }),
    new_gateway_txn_id: Type.String(),
    payment_method: OneOf(PAYMENT_METHODS),
    receipt_id: Type.String(),
    transaction_state: KeyOf(TRANSACTION_STATES),
    merchant_id: Type.Optional(Type.String()),
    token: Type.Optional(Type.String()),
    auth_code: Type.Optional(Type.String()),
    rrn: Type.Optional(Type.String()),
    resp_code: Type.Optional(Type.String()),
    resp_msg: Type.Optional(Type.String()),
    credit_card_type: Type.Optional(Type.String()),
    first_6_digits: Type.Optional(Type.String()),
    last_4_digits: Type.Optional(Type.String()),
    card_number_len: Type.Optional(Type.Integer()),
    holder_name: Type.Optional(Type.String()),
    exp_month: Type.Optional(Type.String()),
    exp_year: Type.Optional(Type.String()),
  }),
  original_transaction_uuid: Nullable(Type.String()),
  reference_id: Type.Optional(Type.String()),
  original_transaction_reference_id: Type.Optional(Type.String()),
  next_action: Type.Optional(NextActionSchema),
  created_at: TimestampOut(),
})

export const OrderSchema = Resource('Order', {
  source: OneOf(ORDER_SOURCES),
  type: OneOf(ORDER_TYPES),
  number: Type.String(),
  reference_number: Type.String(),
  due_date: Nullable(Type.String({ format: 'date' })),
  initial_total: AmountOut(),
  initial_tips: AmountOut(),
  subtotal: AmountOut(),
  paid_total: Type.String({
    description: 'Of the successful Sales, Captures and Refunds. A decimal number as a string.',
  }),
  unpaid_total: Type.String({ description: 'initial_total less paid_total; negative when over-paid.' }),
  refunded_total: Type.String({ description: 'The sum of the successful Refunds, above zero.' }),
  amount_due: Type.String({
    description: 'What the payer still owes: unpaid_total while the order can be paid, else zero.',
  }),
  state: KeyOf(ORDER_STATES),
  correspondence_state: OneOf(CORRESPONDENCE_STATES),
  currency: Type.String(),
  return_url: Type.Optional(Type.String()),
  notify_url: Type.Optional(Type.String()),
  customer_uuid: Type.Optional(Type.String()),
  plan_id: Type.Optional(Type.String({ description: 'The plan that made the order.' })),
  timeout: Type.Optional(Type.Object({ timer: Type.String(), url: Type.Optional(Type.String()) })),
  created_at: TimestampOut(),
  updated_at: TimestampOut(),
  line_items: Nullable(Type.Array(LineItemSchema)),
  transactions: Type.Array(TransactionSchema),
})

export const OrderData = Type.Object({ order: OrderSchema })
export const OrderWithLinksData = Type.Object({
  order: OrderSchema,
  payment_link: Type.Optional(Type.String()),
  download_link: Type.Optional(Type.String()),
})
export const OrdersData = Type.Object({ orders: Type.Array(OrderSchema), page: PageSchema })
export const OrderWithPaymentLinkData = Type.Omit(OrderWithLinksData, ['download_link'])
export const TransactionWithOrder = Type.Object({ order: OrderSchema, transaction: TransactionSchema })
export const TransactionData = Type.Object({
  ...TransactionWithOrder.properties,
  next_action: Type.Optional(NextActionSchema),
})

/** An order in an event. With more than 20 transactions it shows those that changed. */
const OrderInEvent = Resource('OrderInEvent', {
  ...OrderSchema.properties,
  transactions_truncated: Type.Optional(
    Type.Literal(true, {
      description:
        'The order has more than 20 transactions: `transactions` holds those that changed, at most 20.',
    }),
  ),
  transactions_url: Type.Optional(
    Type.String({ description: 'POST `order.number` to this path to read all transactions.' }),
  ),
})
export const OrderEventData = Type.Object({ order: OrderInEvent })
export const TransactionEventData = Type.Object({ order: OrderInEvent, transaction: TransactionSchema })

export const ORDER_EXISTS: Failure = {
  name: 'OrderExists',
  data: Type.Object({ order: Type.Optional(Type.Pick(OrderSchema, ['number', 'reference_number'])) }),
}

const REFERENCE_ID_TAKEN: Failure = {
  name: 'ReferenceIdTaken',
  data: Type.Object({ transaction: Type.Optional(Type.Pick(TransactionSchema, ['uuid'])) }),
}
const TRANSACTION_FAILED: Failure = { name: 'TransactionFailed', data: TransactionWithOrder }
/** Without them where the outcome could not be recorded. */
const TRANSACTION_UNKNOWN: Failure = {
  name: 'TransactionUnknown',
  data: Type.Partial(TRANSACTION_FAILED.data),
}
/** Whatever came of a transaction, it and its order are told. */
export const TRANSACTION_FAILURES = {
  402: TRANSACTION_FAILED,
  409: REFERENCE_ID_TAKEN,
  502: TRANSACTION_FAILED,
  504: TRANSACTION_UNKNOWN,
}

const VOID_FAILED: Failure = { name: 'OrderVoidFailed', data: OrderData }
/** A void that is refused before it has begun tells nothing. */
const VOID_REFUSED: Failure = { name: 'OrderVoidRefused', data: Type.Partial(OrderData) }
export const VOID_ORDER_FAILURES = { 402: VOID_FAILED, 409: VOID_REFUSED, 502: VOID_FAILED, 504: VOID_FAILED }

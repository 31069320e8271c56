import Type from 'typebox'
import { WALLET_NAMES } from '#modules/acquirers'
import { TAX_BEHAVIORS, TREATMENTS } from '#modules/taxes'
import { PageSchema } from '#platform/http/validation/list'
import type { Failure } from '#platform/http/routes/route'
import {
  Amount,
  AmountOut,
  KeyOf,
  MetadataOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { FollowUpBody, NewOrderSchema, OrderIdentifiersSchema } from '../model/order-requests.ts'
import {
  BILLING_KINDS,
  CORRESPONDENCE_STATES,
  LINE_KINDS,
  ORDER_SOURCES,
  ORDER_TYPES,
  PURCHASABLE_TYPES,
} from '../model/order.ts'
import { ORDER_STATES } from '../model/order.states.ts'
import { TRANSACTION_STATES } from '../model/transaction.states.ts'
import { ACQUIRER_TYPES, PAYMENT_METHODS, TRANSACTION_TYPES } from '../model/transaction.ts'

export const CreateOrderBody = strictObject({ order: NewOrderSchema })

export const VoidOrderBody = strictObject({ order: OrderIdentifiersSchema })

export const VoidTransactionBody = strictObject({
  ...FollowUpBody.properties,
  amount: Type.Optional(Amount({ description: 'Optional. It must be the whole amount.' })),
  reference_id: Type.Optional(
    Text({ max: 255, description: 'Checked and not kept: a void makes no transaction of its own.' }),
  ),
})

const WithPaymentLink = Type.Optional(
  Type.Boolean({ description: 'Adds `payment_link`, the page where the payer can pay.' }),
)
export const PaymentLinkQuery = strictObject({ with_payment_link: WithPaymentLink })
export const CheckOrderQuery = strictObject({
  with_payment_link: WithPaymentLink,
  with_download_link: Type.Optional(
    Type.Boolean({ description: 'Adds `download_link`, the invoice or receipt as a PDF.' }),
  ),
})

export const OrderTaxSchema = Resource('OrderTax', {
  behavior: OneOf(TAX_BEHAVIORS),
  total: AmountOut(),
  groups: Type.Array(
    Type.Object({
      name: Type.String(),
      percentage: AmountOut(),
      treatment: OneOf(TREATMENTS),
      base: AmountOut({ description: 'What the group taxes, without the tax.' }),
      amount: AmountOut(),
    }),
    { description: 'A group for each rate, and one for each other treatment.' },
  ),
})

export const BilledLineMembers = Type.Object({
  kind: Type.Optional(OneOf(LINE_KINDS, { description: 'What the line of a plan bills.' })),
  period: Type.Optional(
    Type.Object(
      { start: TimestampOut(), end: TimestampOut() },
      { description: 'What time a line of a plan covers.' },
    ),
  ),
  recurring_item_id: Type.Optional(Type.String()),
  units: Type.Optional(Type.Number({ description: 'The quantity that the amount was computed from.' })),
})

export const LineItemSchema = Resource('LineItem', {
  uuid: Type.String(),
  purchasable_type: OneOf(PURCHASABLE_TYPES),
  purchase_id: Type.Optional(Type.Integer()),
  price: AmountOut(),
  quantity: Type.Integer(),
  total: AmountOut(),
  label: Type.Optional(Type.String()),
  ...BilledLineMembers.properties,
})

export const NextActionSchema = Resource('NextAction', {
  type: Type.String({ examples: ['three_d_secure', 'wallet_confirmation', 'bank_confirmation'] }),
  url: Type.String({ description: 'Where to send the payer.' }),
  qr_code: Type.Optional(
    Type.String({
      description: 'The text of the code that the payer scans with the app. On a desktop only.',
    }),
  ),
  expires_at: Type.Optional(
    TimestampOut({ description: 'Until when the payer may act, where it is known.' }),
  ),
})

export const TransactionSchema = Resource('Transaction', {
  type: OneOf(TRANSACTION_TYPES),
  uuid: Type.String(),
  currency: Type.String(),
  amount: AmountOut({ description: 'Negative for a Refund.' }),
  success: Type.Boolean({ description: 'False again after a void.' }),
  is_pending: Type.Boolean({
    description: 'The outcome is not known yet, or the payer has something to do.',
  }),
  captured: Type.Boolean({
    description: 'True for an Authorization of which at least one Capture succeeded.',
  }),
  allow_void: Type.Boolean(),
  allow_refund: Type.Boolean(),
  void_is_pending: Type.Boolean({ description: 'The outcome of the void is not known yet.' }),
  void_failure: Type.Optional(
    Type.Object(
      { resp_code: Type.String(), resp_msg: Type.String() },
      { description: 'Why the acquirer did not void it, until another void.' },
    ),
  ),
  payment_method: OneOf(PAYMENT_METHODS),
  note: Nullable(Type.String()),
  payment_data: Resource('PaymentData', {
    acquirer_name: Type.String({ description: 'With the name of the real wallet in parentheses.' }),
    wallet: Type.Optional(OneOf(WALLET_NAMES, { description: 'The real wallet behind the method.' })),
    acquirer_type: OneOf(ACQUIRER_TYPES, { description: 'manual: recorded by hand.' }),
    brn: Type.String({ description: 'The settlement batch of the acquirer.' }),
    new_gateway_txn_id: Type.String(),
    payment_method: OneOf(PAYMENT_METHODS),
    receipt_id: Type.String(),
    transaction_state: KeyOf(TRANSACTION_STATES),
    merchant_id: Type.Optional(Type.String()),
    token: Type.Optional(Type.String()),
    auth_code: Type.Optional(Type.String()),
    rrn: Type.Optional(Type.String()),
    fee: Type.Optional(AmountOut({ description: 'What the bank kept of a payment by hand.' })),
    failed_later: Type.Optional(
      Type.Boolean({ description: 'It had counted before the acquirer said that it failed.' }),
    ),
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
  value_date: Nullable(
    Type.String({
      format: 'date',
      description:
        'The local date on which money moved: as the bank or you said, else that of its success. Null before.',
    }),
  ),
  returned_on: Type.Optional(
    Type.String({
      format: 'date',
      description:
        'The local date on which a bank transfer counts as returned. It stays paid on its value_date.',
    }),
  ),
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
    description: 'The sum of the successful Sales, Captures and Refunds, as a decimal string.',
  }),
  unpaid_total: Type.String({ description: 'initial_total − paid_total. Negative when over-paid.' }),
  refunded_total: Type.String({ description: 'The sum of the successful Refunds, above zero.' }),
  allow_void: Type.Boolean({ description: 'Whether the order can be voided now.' }),
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
  billing: Type.Optional(
    Type.Object(
      {
        kind: Type.Optional(OneOf(BILLING_KINDS, { description: 'Why the plan made the order.' })),
        tax: Nullable(OrderTaxSchema),
        credited_total: AmountOut({
          description: 'By how much changes of the plan and credit notes lowered what is to be paid.',
        }),
        written_off: Type.Optional(AmountOut({ description: 'What was given up, if anything was.' })),
        moved_to_credit: Type.Optional(
          AmountOut({ description: 'What of an overpayment became credit of a plan, if anything did.' }),
        ),
        invoice_id: Type.Optional(Type.String()),
        invoice_number: Type.Optional(Type.String()),
      },
      { description: 'Of orders of plans, and of orders with an invoice.' },
    ),
  ),
  plan_metadata: MetadataOut({ description: 'What the plan carried when it made the order.' }),
  metadata: MetadataOut(),
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
export const ListedTransactionSchema = Resource('ListedTransaction', {
  ...TransactionSchema.properties,
  order_number: Type.String(),
  customer_uuid: Type.Optional(Type.String()),
  acquirer_account_id: Type.String(),
  decline_code: Type.Optional(
    Type.String({ description: 'Why a failed transaction failed: the `decline_code` of the 402.' }),
  ),
})
export const TransactionsData = Type.Object({
  transactions: Type.Array(ListedTransactionSchema),
  page: PageSchema,
})
export const OrdersData = Type.Object({ orders: Type.Array(OrderSchema), page: PageSchema })
export const OrderWithPaymentLinkData = Type.Omit(OrderWithLinksData, ['download_link'])
export const TransactionWithOrder = Type.Object({ order: OrderSchema, transaction: TransactionSchema })
export const TransactionData = Type.Object({
  ...TransactionWithOrder.properties,
  next_action: Type.Optional(NextActionSchema),
})

export const OrderInEvent = Resource('OrderInEvent', {
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
/** Both members are missing when the outcome could not be recorded. */
const TRANSACTION_UNKNOWN: Failure = {
  name: 'TransactionUnknown',
  data: Type.Partial(TRANSACTION_FAILED.data),
}
export const TRANSACTION_FAILURES = {
  402: TRANSACTION_FAILED,
  409: REFERENCE_ID_TAKEN,
  502: TRANSACTION_FAILED,
  504: TRANSACTION_UNKNOWN,
}

const VOID_FAILED: Failure = { name: 'OrderVoidFailed', data: OrderData }
/** The order is missing when the void was refused before its first step. */
const VOID_REFUSED: Failure = { name: 'OrderVoidRefused', data: Type.Partial(OrderData) }
export const VOID_ORDER_FAILURES = { 402: VOID_FAILED, 409: VOID_REFUSED, 502: VOID_FAILED, 504: VOID_FAILED }

export const SpendData = Type.Object({
  spend: Type.Array(
    Resource('Spend', {
      currency: Type.String(),
      orders: Type.Integer({ description: 'Those of which something is paid.' }),
      paid_total: Type.String({ description: 'What was paid less what went back, as a decimal string.' }),
    }),
  ),
})

import Type from 'typebox'
import {
  AmountOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { OPERATION_NAMES, REASON_CODES } from '../next/next-entry.ts'

export const OrderNumberParams = strictObject({ number: Type.String() })

const NullableText = (description: string) => Nullable(Type.String({ description }))

const ActorName = NullableText('The name that the user or the API key has now.')

export const PastEntrySchema = Resource('PastEntry', {
  at: TimestampOut(),
  kind: Type.String({
    description:
      'The type of the event, or transaction.sent, acquirer.notice, outcome.decided, customer.note.',
  }),
  text: Type.String({ description: 'An English sentence for people.' }),
  object_id: Type.String({ description: 'The order, plan, dispute, invoice or credit note.' }),
  event_id: Nullable(Type.String()),
  request_id: NullableText('The request that caused it, where one did.'),
  actor_id: NullableText(
    'Of `transaction.*`, `order.voided`, `plan.*` and `cycle.*`: the API key or the user whose request caused it, where one did.',
  ),
  actor_name: ActorName,
  transaction_uuid: Nullable(Type.String()),
  acquirer: Nullable(
    Type.Object({
      name: Type.String(),
      account_id: Nullable(Type.String()),
      reference: NullableText("The acquirer's id of the payment."),
      resp_code: Nullable(Type.String()),
      decline_code: NullableText('Of a payment that was declined.'),
    }),
  ),
  deliveries: Type.Array(
    Type.Object({
      id: Type.String(),
      endpoint_id: NullableText('Null for notify_url and callback_url.'),
      state: OneOf(['pending', 'delivered', 'exhausted']),
      response_status: Nullable(
        Type.Integer({ description: 'Null before an attempt, or when the receiver did not answer.' }),
      ),
    }),
  ),
  details: Type.Object(
    {
      order_number: Type.Optional(Type.String()),
      document_number: Type.Optional(Type.String({ description: 'Of an invoice or a credit note.' })),
      about: Type.Optional(Type.String({ description: 'Of a message: the order, document, plan or token.' })),
      amount: Type.Optional(AmountOut()),
      currency: Type.Optional(Type.String()),
      state: Type.Optional(Type.String()),
      transaction_type: Type.Optional(Type.String()),
      cause: Type.Optional(
        OneOf(['failed_later', 'void_failed', 'expired'], {
          description: 'Of a transaction that ended otherwise than its kind of entry usually does.',
        }),
      ),
      message: Type.Optional(Type.String({ description: "The acquirer's words." })),
      note: Type.Optional(Type.String()),
      reason: Type.Optional(Type.String({ description: 'Of a dispute or a credit note.' })),
      billed: Type.Optional(
        Type.String({
          description:
            'Of `plan.changed`: what the plan bills now, such as `2 × Gold (177.00 HKD)`. Of `cycle.activated` and `cycle.completed`: what the cycle bills.',
        }),
      ),
      billed_before: Type.Optional(
        Type.String({ description: 'What it billed before, where that is known.' }),
      ),
      notice_id: Type.Optional(Type.String()),
      notice_type: Type.Optional(Type.String()),
    },
    { description: 'What the event said, as far as it has these.' },
  ),
})

export const NextEntrySchema = Resource('NextEntry', {
  at: Nullable(TimestampOut({ description: 'Null while it waits for somebody.' })),
  kind: Type.String(),
  text: Type.String({ description: 'An English sentence for people.' }),
  reason: Type.String({ description: 'Why it will happen, as an English sentence.' }),
  reason_code: OneOf(REASON_CODES, {
    description: 'The same as a stable word. It stands for one `text` and one `reason`.',
  }),
  object_id: NullableText('The order, plan, dispute or invoice.'),
  actor_id: NullableText(
    "Of a plan's cancellation, scheduled change and pause: the API key or the user whose request asked for it.",
  ),
  actor_name: ActorName,
  transaction_uuid: Nullable(Type.String()),
  attempt: Nullable(Type.Integer()),
  attempts_total: Nullable(Type.Integer()),
  amount: Nullable(AmountOut()),
  currency: Nullable(Type.String()),
  details: Type.Object(
    {
      operation: Type.Optional(
        OneOf(OPERATION_NAMES, { description: 'What is asked for or sent, about `amount`.' }),
      ),
      inquiry: Type.Optional(Type.Integer({ description: 'The next inquiry is the nth: 1, 2, 3 …' })),
      decidable_at: Type.Optional(TimestampOut({ description: 'From when on a person may decide.' })),
      voids_at: Type.Optional(TimestampOut({ description: 'When the order will be voided.' })),
      period: Type.Optional(Type.Integer({ description: 'The period of the cycle that begins: 1, 2, 3 …' })),
      document_number: Type.Optional(Type.String({ description: 'Of an invoice.' })),
      periods_total: Type.Optional(Type.Integer({ description: 'Of the cycle, where it has an end.' })),
    },
    { description: 'The values that `text` and `reason` name.' },
  ),
})

export const TimelineData = Type.Object({
  timeline: Resource('Timeline', {
    past: Type.Array(PastEntrySchema, { description: 'Newest first.' }),
    next: Type.Array(NextEntrySchema, { description: 'What waits for somebody first, then by time.' }),
    next_cursor: Nullable(Type.String({ description: 'Of the older part of `past`.' })),
  }),
})

import Type from 'typebox'
import {
  AmountOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  Text,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { ATTENTION_KINDS } from '../attention/read-attention.ts'

export const OverviewQuerySchema = strictObject({
  days: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 366, description: 'Local days up to today, default 30.' }),
  ),
  currency: Type.Optional(Text({ max: 3, description: 'Default: the currency of the business.' })),
})

const Day = Type.String({ format: 'date', description: 'A local day of the business.' })

export const OverviewData = Type.Object({
  overview: Resource('Overview', {
    currency: Type.String(),
    currencies: Type.Array(Type.String(), { description: 'All in which something was paid or tried.' }),
    today: Type.Object({
      date: Day,
      paid_total: AmountOut(),
      refunded_total: AmountOut(),
      orders_paid: Type.Integer(),
      payments_failed: Type.Integer(),
    }),
    days: Type.Array(
      Type.Object({
        date: Day,
        paid_total: AmountOut({
          description: 'Sales and captures of the day, without those that were voided.',
        }),
        refunded_total: AmountOut(),
        orders_paid: Type.Integer(),
        payments_approved: Type.Integer(),
        payments_declined: Type.Integer(),
        success_rate: Nullable(
          Type.Number({ description: 'Approved of all attempts, from 0 to 1. Null without any.' }),
        ),
        recurring_paid_total: AmountOut(),
        dunning_recovered_total: AmountOut({ description: 'Of dunning_attempted_total, what was paid.' }),
        dunning_attempted_total: AmountOut({ description: 'Attempts of recurring orders after the first.' }),
      }),
    ),
    declines: Type.Array(
      Type.Object({ decline_code: Type.String(), count: Type.Integer(), total: AmountOut() }),
      { description: 'The 20 most frequent of these days.' },
    ),
    recurring: Type.Object({
      active_plans: Nullable(Type.Integer({ description: 'Null until they have been counted.' })),
      monthly_total: Nullable(AmountOut({ description: 'What active plans bill in an average month.' })),
      counted_at: Nullable(TimestampOut({ description: 'On the real clock.' })),
    }),
  }),
})

export const AttentionData = Type.Object({
  attention: Type.Array(
    Resource('Attention', {
      kind: OneOf(ATTENTION_KINDS),
      count: Type.Integer({ description: 'At most 1,000.' }),
      oldest_at: Nullable(TimestampOut()),
      items: Type.Array(
        Type.Object({
          id: Type.String(),
          title: Type.String({ description: 'An English sentence.' }),
          subject: Type.String({
            description:
              'For sentences in other languages: the order number, the amount, the name of the plan, job or action, or the URL.',
          }),
          at: TimestampOut(),
        }),
        { description: 'The ten oldest.' },
      ),
    }),
    { description: 'Only kinds of which there are any.' },
  ),
})

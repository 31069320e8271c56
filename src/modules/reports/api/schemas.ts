import Type from 'typebox'
import {
  AmountOut,
  Nullable,
  OneOf,
  Resource,
  strictObject,
  TimestampOut,
} from '#platform/http/validation/schemas'
import { spreadsheetQuery } from '#platform/http/spreadsheets/spreadsheet'
import { ATTENTION_KINDS } from '../attention/read-attention.ts'
import { TOTALS_QUERY } from '../totals/read-totals.ts'
import { DAY_COLUMNS } from './day-columns.ts'

export const TotalsQuerySchema = strictObject(TOTALS_QUERY)
export const TotalsSpreadsheetQuery = strictObject({ ...TOTALS_QUERY, ...spreadsheetQuery(DAY_COLUMNS) })

const Day = Type.String({ format: 'date', description: 'A local day of the business.' })

const CountedAt = Nullable(
  TimestampOut({
    description:
      'When one of the days last changed, on the real clock: a day that was shown changes when a bank statement comes later.',
  }),
)

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
        counted_at: Nullable(
          TimestampOut({
            description: 'When the day last changed, on the real clock. Null if nothing counts on it.',
          }),
        ),
      }),
    ),
    counted_at: CountedAt,
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

const Range = { from: Day, to: Day }

const MEASURES = {
  paid_total: AmountOut({ description: 'Sales and captures, without those that were voided.' }),
  refunded_total: AmountOut(),
  net_total: AmountOut({ description: 'paid_total without refunded_total. Fees are not subtracted.' }),
  disputed_total: AmountOut({
    description: 'What disputes took, less what they gave back. net_total is without it.',
  }),
  fee_total: Nullable(
    AmountOut({ description: 'What the acquirers kept, as far as their books are known. Null without any.' }),
  ),
  settled_paid_total: AmountOut({ description: 'Of paid_total, the part whose fees are known.' }),
  orders_paid: Type.Integer(),
  payments_approved: Type.Integer(),
  payments_declined: Type.Integer(),
  recurring_paid_total: AmountOut(),
}

export const TotalsData = Type.Object({
  totals: Resource('Totals', {
    ...Range,
    time_zone: Type.String(),
    before: Type.Object(Range, {
      description:
        'What the range is compared with: for months, quarters and years those before, else as many days up to the day before `from`.',
    }),
    main_currency: Type.String({
      description: 'Of most payments in the last 90 days, or ever; of the business if there were none.',
    }),
    counted_at: CountedAt,
    currencies: Type.Array(
      Resource('CurrencyTotals', {
        currency: Type.String(),
        ...MEASURES,
        before: Resource('TotalsBefore', MEASURES),
        change: Type.Object(
          {
            paid_total: AmountOut(),
            refunded_total: AmountOut(),
            net_total: AmountOut(),
            orders_paid: Type.Integer(),
            payments_approved: Type.Integer(),
            payments_declined: Type.Integer(),
          },
          { description: 'What is more than before, or negative where it is less.' },
        ),
      }),
      { description: 'The currency of the business first, then the others by code.' },
    ),
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

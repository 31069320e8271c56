import sql, { type Sql } from 'sql-template-tag'
import { type Instant, realClock, toRfc3339 } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import type { DateRange } from '#platform/http/validation/date-range'
import type { Tx } from '#platform/postgres/database'
import { isOneOf, rowsAs } from '#platform/postgres/rows'
import { type Members, named, table, WHOLE } from '#platform/postgres/table'
import type { Measures } from '../model/fact.ts'

export interface DayTotals extends Measures {
  readonly day: string
  readonly currency: Currency
}

/** - `countedAt`: When the day last changed, on the real clock; null while nothing is counted. */
export interface CountedDay extends DayTotals {
  readonly countedAt: Instant | null
}

const MEASURES = {
  paid: named('paid_minor', 'numeric'),
  refunded: named('refunded_minor', 'numeric'),
  ordersPaid: WHOLE,
  approved: WHOLE,
  declined: WHOLE,
  recurringPaid: named('recurring_paid_minor', 'numeric'),
  dunningRecovered: named('dunning_recovered_minor', 'numeric'),
  dunningAttempted: named('dunning_attempted_minor', 'numeric'),
} as const satisfies Members<Measures>

const DAYS = table<CountedDay>('d', {
  day: 'date',
  currency: 'text',
  ...MEASURES,
  countedAt: 'timestamptz',
})
const NEW_DAYS = DAYS.without('countedAt')

export interface DeclineTotals {
  readonly day: string
  readonly currency: Currency
  readonly declineCode: string
  readonly count: number
  readonly amount: bigint
}

export async function addDays(tx: Tx, days: readonly DayTotals[]): Promise<void> {
  await tx.execute(sql`
    insert into report_days as d
           ${NEW_DAYS.values(tx.businessId, days, { counted_at: toRfc3339(realClock.now()) })}
    on conflict (business_id, currency, day) do update
       set paid_minor = d.paid_minor + excluded.paid_minor,
           refunded_minor = d.refunded_minor + excluded.refunded_minor,
           orders_paid = d.orders_paid + excluded.orders_paid,
           approved = d.approved + excluded.approved,
           declined = d.declined + excluded.declined,
           recurring_paid_minor = d.recurring_paid_minor + excluded.recurring_paid_minor,
           dunning_recovered_minor = d.dunning_recovered_minor + excluded.dunning_recovered_minor,
           dunning_attempted_minor = d.dunning_attempted_minor + excluded.dunning_attempted_minor,
           counted_at = excluded.counted_at`)
}

const newDeclines = rowsAs<DeclineTotals>('n', {
  currency: ['text', (d) => d.currency],
  day: ['date', (d) => d.day],
  decline_code: ['text', (d) => d.declineCode],
  count: ['bigint', (d) => d.count],
  declined_minor: ['numeric', (d) => d.amount.toString()],
})

export async function addDeclines(tx: Tx, declines: readonly DeclineTotals[]): Promise<void> {
  await tx.execute(sql`
    insert into report_declines as d (business_id, currency, day, decline_code, count, declined_minor)
    select ${tx.businessId}, n.* from ${newDeclines(declines)}
    on conflict (business_id, currency, day, decline_code) do update
       set count = d.count + excluded.count, declined_minor = d.declined_minor + excluded.declined_minor`)
}

export async function daysOf(
  tx: Tx,
  currencies: readonly Currency[],
  { from, to }: DateRange,
): Promise<CountedDay[]> {
  const rows = await tx.query(sql`
    select ${DAYS.columns} from report_days d
     where business_id = ${tx.businessId} and ${isOneOf(sql`currency`, currencies)}
       and day between ${from.toString()}::date and ${to.toString()}::date
     order by day, currency`)
  return rows.map(DAYS.read)
}

export interface CurrencyTotals extends Measures {
  readonly currency: Currency
  readonly isBefore: boolean
  readonly countedAt: Instant | null
}

const SUMS = table<CurrencyTotals>('d', {
  currency: 'text',
  isBefore: 'boolean',
  ...MEASURES,
  countedAt: 'timestamptz',
})

export async function sumsOf(
  tx: Tx,
  currencies: readonly Currency[],
  range: DateRange,
  before: DateRange,
): Promise<CurrencyTotals[]> {
  const rows = await tx.query(sql`
    select currency, day < ${range.from.toString()}::date as is_before, sum(paid_minor) as paid_minor,
           sum(refunded_minor) as refunded_minor, sum(orders_paid)::bigint as orders_paid,
           sum(approved)::bigint as approved, sum(declined)::bigint as declined,
           sum(recurring_paid_minor) as recurring_paid_minor,
           sum(dunning_recovered_minor) as dunning_recovered_minor,
           sum(dunning_attempted_minor) as dunning_attempted_minor, max(counted_at) as counted_at
      from report_days
     where business_id = ${tx.businessId} and ${isOneOf(sql`currency`, currencies)}
       and (day between ${range.from.toString()}::date and ${range.to.toString()}::date
            or day between ${before.from.toString()}::date and ${before.to.toString()}::date)
     group by 1, 2 order by 1, 2`)
  return rows.map(SUMS.read)
}

const MAX_CODES = 20

export function declinesOf(
  tx: Tx,
  currency: Currency,
  { from, to }: DateRange,
): Promise<{ readonly decline_code: string; readonly count: bigint; readonly declined_minor: bigint }[]> {
  return tx.query(sql`
    select decline_code, sum(count)::bigint as count, sum(declined_minor) as declined_minor from report_declines
     where business_id = ${tx.businessId} and currency = ${currency}
       and day between ${from.toString()}::date and ${to.toString()}::date
     group by decline_code order by 2 desc, 1 limit ${MAX_CODES}`)
}

/** Jumps from currency to currency along the primary key. */
export async function currenciesOf(tx: Tx): Promise<string[]> {
  const rows = await tx.query<{ currency: string }>(sql`
    with recursive known as (
      (select currency from report_days where business_id = ${tx.businessId} order by currency limit 1)
      union all
      select (select d.currency from report_days d
               where d.business_id = ${tx.businessId} and d.currency > known.currency order by d.currency limit 1)
        from known where known.currency is not null
    )
    select currency from known where currency is not null`)
  return rows.map((row) => row.currency)
}

/** The days of reference/reports#totals. */
const RECENT_DAYS = 90

/**
 * The currency of most recent payments, or of all payments if none is recent. Amounts of different currencies cannot
 * be compared without rates.
 * @param otherwise is returned if nothing was ever paid, and wins a tie
 */
export async function mainCurrencyOf(
  tx: Tx,
  today: Temporal.PlainDate,
  otherwise: Currency,
): Promise<Currency> {
  const most = async (since: Sql): Promise<Currency | undefined> => {
    const rows = await tx.query<{ currency: Currency }>(sql`
      select currency from report_days
       where business_id = ${tx.businessId} and ${since}
       group by currency having sum(approved + orders_paid) > 0
       order by sum(approved + orders_paid) desc, currency = ${otherwise} desc, currency limit 1`)
    return rows[0]?.currency
  }
  const recent = today.subtract({ days: RECENT_DAYS - 1 }).toString()
  return (await most(sql`day >= ${recent}::date`)) ?? (await most(sql`true`)) ?? otherwise
}

import sql from 'sql-template-tag'
import { type Instant, realClock, toRfc3339 } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import { newId } from '#kernel/ids'
import type { Money } from '#kernel/money'
import type { Tx } from '#platform/postgres/database'
import { inCurrencyOfPayment } from './transaction.repository.ts'

/**
 * - `taken`: What a dispute of the payment holds now: the acquirer took it and has not given it back. Null for nothing.
 * - `before`: What it held before.
 */
export interface DisputedPayment {
  readonly disputeId: string
  readonly orderNumber: string
  readonly transactionId: string
  readonly taken: Money | null
  readonly before: Money | null
}

/** @param date the local day on which it counts */
export async function insertDisputedMoney(
  tx: Tx,
  { disputeId, orderNumber, transactionId, taken, before }: DisputedPayment,
  date: string,
): Promise<void> {
  await tx.execute(sql`
    insert into disputed_money
           (business_id, id, dispute_id, order_id, transaction_id, currency, amount_minor, date, created_at, counted_at)
    select business_id, ${newId('dmv')}, ${disputeId}, ${orderNumber}, id, currency, moved.amount, ${date}::date,
           ${toRfc3339(tx.now)}::timestamptz, ${toRfc3339(realClock.now())}::timestamptz
      from transactions
     cross join lateral (select ${inCurrencyOfPayment(before)} - ${inCurrencyOfPayment(taken)} as amount) moved
     where business_id = ${tx.businessId} and id = ${transactionId} and moved.amount <> 0`)
}

/**
 * - `taken`: Minor units that disputes took on the day, less what they gave back.
 * - `countedAt`: When the day last changed, on the real clock.
 */
export interface DisputedDay {
  readonly day: string
  readonly currency: Currency
  readonly taken: bigint
  readonly countedAt: Instant
}

/** @param range both days included */
export async function findDisputedDays(
  tx: Tx,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<DisputedDay[]> {
  const rows = await tx.query<{
    day: string
    currency: Currency
    taken_minor: bigint
    counted_at: Instant
  }>(sql`
    select date as day, currency, (-sum(amount_minor))::numeric(30,0) as taken_minor, max(counted_at) as counted_at
      from disputed_money
     where business_id = ${tx.businessId} and date between ${from}::date and ${to}::date
     group by date, currency order by date, currency`)
  return rows.map(({ day, currency, taken_minor: taken, counted_at: countedAt }) => ({
    day,
    currency,
    taken,
    countedAt,
  }))
}

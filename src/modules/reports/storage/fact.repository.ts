import sql from 'sql-template-tag'
import { type Instant, realClock, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { rowsAs } from '#platform/postgres/rows'
import type { Fact } from '../model/fact.ts'
import { REPORT_DAYS } from '../job-names.ts'

/** How long a change waits until it is counted. Others that come meanwhile are counted with it. */
export const FOLD_DELAY_SECONDS = 5

const newFacts = rowsAs<Fact>('n', {
  id: ['text', (f) => f.id],
  day_at: ['timestamptz', (f) => toRfc3339(f.dayAt)],
  currency: ['text', (f) => f.currency],
  paid_minor: ['numeric', (f) => f.paid.toString()],
  refunded_minor: ['numeric', (f) => f.refunded.toString()],
  orders_paid: ['integer', (f) => f.ordersPaid],
  approved: ['integer', (f) => f.approved],
  declined: ['integer', (f) => f.declined],
  decline_code: ['text', (f) => f.declineCode],
  declined_minor: ['numeric', (f) => f.declinedAmount.toString()],
  recurring_paid_minor: ['numeric', (f) => f.recurringPaid.toString()],
  dunning_recovered_minor: ['numeric', (f) => f.dunningRecovered.toString()],
  dunning_attempted_minor: ['numeric', (f) => f.dunningAttempted.toString()],
})

/** Deferred: the outcome's transaction does not wait for it. */
export function queueFacts(tx: Tx, facts: readonly Fact[]): void {
  tx.defer(
    tx.execute(sql`
      insert into report_facts (business_id, id, day_at, currency, paid_minor, refunded_minor, orders_paid, approved,
                                declined, decline_code, declined_minor, recurring_paid_minor, dunning_recovered_minor,
                                dunning_attempted_minor)
      select ${tx.businessId}, n.* from ${newFacts(facts)}`),
  )
  const dueAt = realClock.now().add({ seconds: FOLD_DELAY_SECONDS })
  tx.defer(scheduleJob(tx, REPORT_DAYS, dueAt, 'real'))
}

interface FactRow {
  id: string
  day_at: Instant
  currency: string
  paid_minor: bigint
  refunded_minor: bigint
  orders_paid: number
  approved: number
  declined: number
  decline_code: string | null
  declined_minor: bigint
  recurring_paid_minor: bigint
  dunning_recovered_minor: bigint
  dunning_attempted_minor: bigint
}

export async function takeFacts(tx: Tx, limit: number): Promise<Fact[]> {
  const rows = await tx.query<FactRow>(sql`
    with taken as materialized (
      select id from report_facts where business_id = ${tx.businessId}
       order by id limit ${limit} for update skip locked)
    delete from report_facts f
     using taken
     where f.business_id = ${tx.businessId} and f.id = taken.id
    returning f.id, f.day_at, f.currency, f.paid_minor, f.refunded_minor, f.orders_paid, f.approved, f.declined,
              f.decline_code, f.declined_minor, f.recurring_paid_minor, f.dunning_recovered_minor,
              f.dunning_attempted_minor`)
  return rows.map((row) => ({
    id: row.id,
    dayAt: row.day_at,
    currency: row.currency,
    paid: row.paid_minor,
    refunded: row.refunded_minor,
    ordersPaid: row.orders_paid,
    approved: row.approved,
    declined: row.declined,
    declineCode: row.decline_code,
    declinedAmount: row.declined_minor,
    recurringPaid: row.recurring_paid_minor,
    dunningRecovered: row.dunning_recovered_minor,
    dunningAttempted: row.dunning_attempted_minor,
  }))
}

/** The oldest fact has the smallest id, which begins with the time at which it was made. */
export async function nextFoldAt(tx: Tx): Promise<Instant | null> {
  const [oldest] = await tx.query<{ queued_at: Instant }>(sql`
    select queued_at from report_facts where business_id = ${tx.businessId} order by id limit 1`)
  return oldest === undefined ? null : oldest.queued_at.add({ seconds: FOLD_DELAY_SECONDS })
}

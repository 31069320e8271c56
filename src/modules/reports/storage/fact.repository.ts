import sql from 'sql-template-tag'
import { type Instant, realClock } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { named, table } from '#platform/postgres/table'
import type { Fact } from '../model/fact.ts'
import { REPORT_DAYS } from '../job-names.ts'

/** How long a change waits until it is counted. Others that come meanwhile are counted with it. */
export const FOLD_DELAY_SECONDS = 5

const FACTS = table<Fact>('f', {
  id: 'text',
  dayAt: 'timestamptz',
  currency: 'text',
  paid: named('paid_minor', 'numeric'),
  refunded: named('refunded_minor', 'numeric'),
  ordersPaid: 'integer',
  approved: 'integer',
  declined: 'integer',
  declineCode: 'text',
  declinedAmount: named('declined_minor', 'numeric'),
  recurringPaid: named('recurring_paid_minor', 'numeric'),
  dunningRecovered: named('dunning_recovered_minor', 'numeric'),
  dunningAttempted: named('dunning_attempted_minor', 'numeric'),
})

/** Deferred: the outcome's transaction does not wait for it. */
export function queueFacts(tx: Tx, facts: readonly Fact[]): void {
  tx.defer(tx.execute(sql`insert into report_facts ${FACTS.values(tx.businessId, facts)}`))
  const dueAt = realClock.now().add({ seconds: FOLD_DELAY_SECONDS })
  tx.defer(scheduleJob(tx, REPORT_DAYS, dueAt, 'real'))
}

export async function takeFacts(tx: Tx, limit: number): Promise<Fact[]> {
  const rows = await tx.query(sql`
    with taken as materialized (
      select id from report_facts where business_id = ${tx.businessId}
       order by id limit ${limit} for update skip locked)
    delete from report_facts f
     using taken
     where f.business_id = ${tx.businessId} and f.id = taken.id
    returning ${FACTS.columns}`)
  return rows.map(FACTS.read)
}

/** The oldest fact has the smallest id, which begins with the time at which it was made. */
export async function nextFoldAt(tx: Tx): Promise<Instant | null> {
  const [oldest] = await tx.query<{ queued_at: Instant }>(sql`
    select queued_at from report_facts where business_id = ${tx.businessId} order by id limit 1`)
  return oldest === undefined ? null : oldest.queued_at.add({ seconds: FOLD_DELAY_SECONDS })
}

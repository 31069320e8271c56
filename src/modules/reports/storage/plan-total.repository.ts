import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import { scheduleJob } from '#platform/jobs/jobs'
import type { Tx } from '#platform/postgres/database'
import { earliestTime } from '#platform/postgres/earliest-time'
import { REPORT_PLANS } from '../job-names.ts'

/** Totals of all plans are read from every plan, so changes are counted at most once in this time. */
const FRESH_SECONDS = 60

export interface PlanTotal {
  readonly currency: string
  readonly plans: number
  readonly monthly: bigint
}

export interface PlanTotals {
  readonly totals: readonly PlanTotal[] | null
  readonly countedAt: Instant | null
}

interface StoredTotal {
  readonly currency: string
  readonly plans: number
  readonly monthly_minor: string
}

export async function findPlanTotals(tx: Tx): Promise<PlanTotals> {
  const [row] = await tx.query<{ totals: string | null; counted_at: Instant | null }>(sql`
    select totals, counted_at from report_plans where business_id = ${tx.businessId}`)
  const stored = row?.totals == null ? null : (JSON.parse(row.totals) as StoredTotal[])
  return {
    totals:
      stored?.map(({ currency, plans, monthly_minor }) => ({
        currency,
        plans,
        monthly: BigInt(monthly_minor),
      })) ?? null,
    countedAt: row?.counted_at ?? null,
  }
}

export async function requestPlanTotals(tx: Tx, now: Instant): Promise<void> {
  const stale = now.subtract({ seconds: FRESH_SECONDS })
  const requested = await tx.execute(sql`
    insert into report_plans as p (business_id, due_at) values (${tx.businessId}, ${toRfc3339(now)})
    on conflict (business_id) do update set due_at = excluded.due_at
     where p.due_at is null and p.counted_at < ${toRfc3339(stale)}`)
  if (requested > 0) await scheduleJob(tx, REPORT_PLANS, now, 'real')
}

export function nextPlanCountAt(tx: Tx): Promise<Instant | null> {
  return earliestTime(tx, sql`report_plans`, sql`due_at`)
}

export async function hasDuePlanCount(tx: Tx, until: Instant): Promise<boolean> {
  const rows = await tx.query(sql`
    select 1 from report_plans where business_id = ${tx.businessId} and due_at <= ${toRfc3339(until)} for update`)
  return rows.length > 0
}

export async function savePlanTotals(
  tx: Tx,
  totals: readonly PlanTotal[],
  countedAt: Instant,
): Promise<void> {
  const stored = totals.map(({ currency, plans, monthly }): StoredTotal => ({
    currency,
    plans,
    monthly_minor: monthly.toString(),
  }))
  await tx.execute(sql`
    update report_plans set totals = ${JSON.stringify(stored)}, counted_at = ${toRfc3339(countedAt)}, due_at = null
     where business_id = ${tx.businessId}`)
}

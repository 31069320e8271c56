import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'

/** Oldest first, on the real clock. None while the clock of the business is being advanced. */
export async function lateRuns(
  tx: Tx,
  dueBefore: Instant,
): Promise<{ readonly job: string; readonly dueAt: Instant }[]> {
  if (tx.clockOffsetMs === undefined) return []
  const rows = await tx.query<{ job: string; due_at: Instant }>(sql`
    select job, due_at from next_runs
     where business_id = ${tx.businessId} and due_at < ${toRfc3339(dueBefore)} order by due_at`)
  return rows.map(({ job, due_at: dueAt }) => ({ job, dueAt }))
}

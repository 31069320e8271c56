import sql from 'sql-template-tag'
import { type Instant, isAfter, isBefore } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import { type Job, rebuildSchedule } from '#platform/jobs/jobs'

export async function freezeClock(db: Database, businessId: string, at: Instant | string): Promise<void> {
  const moment = at.toString()
  await db.shared.query(sql`
    update business_clocks set frozen_at = ${moment}, advance_to = ${moment} where business_id = ${businessId}`)
}

export async function runClock(
  db: Database,
  businessId: string,
  ahead: Temporal.DurationLike = { seconds: 0 },
): Promise<void> {
  await db.shared.query(sql`
    update business_clocks
       set frozen_at = null, advance_to = null, offset_ms = offset_ms + ${millisecondsOf(ahead)}
     where business_id = ${businessId}`)
}

export async function resumeClock(db: Database, businessId: string): Promise<void> {
  await db.shared.query(sql`
    update business_clocks
       set frozen_at = null, advance_to = null, offset_ms = (extract(epoch from frozen_at - now()) * 1000)::bigint
     where business_id = ${businessId}`)
}

export async function advance(
  db: Database,
  jobs: readonly Job[],
  businessId: string,
  by: Temporal.DurationLike,
): Promise<void> {
  const now = await db.transact(businessId, async (tx) => tx.now)
  await advanceTo(db, jobs, businessId, now.add({ milliseconds: millisecondsOf(by) }))
  await runClock(db, businessId, by)
  await db.transact(businessId, (tx) => rebuildSchedule(tx, jobs))
}

export async function advanceTo(
  db: Database,
  jobs: readonly Job[],
  businessId: string,
  until: Instant,
): Promise<void> {
  for (;;) {
    const next = await nextDue(db, jobs, businessId)
    if (next === undefined || isAfter(next.at, until)) break
    await freezeClock(db, businessId, next.at)
    await next.job.run({ businessId, until: next.at, timeOf: (dueAt) => dueAt })
  }
  await freezeClock(db, businessId, until)
}

async function nextDue(
  db: Database,
  jobs: readonly Job[],
  businessId: string,
): Promise<{ job: Job; at: Instant } | undefined> {
  let next: { job: Job; at: Instant } | undefined
  for (const job of jobs) {
    const at = await db.transact(businessId, (tx) => job.nextRunAt(tx))
    if (at !== null && (next === undefined || isBefore(at, next.at))) next = { job, at }
  }
  return next
}

function millisecondsOf(duration: Temporal.DurationLike): number {
  const ms = Temporal.Duration.from(duration).total({ unit: 'milliseconds', relativeTo: '2026-01-01' })
  return Math.round(ms)
}

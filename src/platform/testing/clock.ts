import sql from 'sql-template-tag'
import { type Instant, isAfter, isBefore } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import { type Job, rebuildSchedule } from '#platform/jobs/jobs'

/** Makes the tenant's clock stand at this moment, as it does while it is being advanced. */
export async function standAt(db: Database, businessId: string, at: Instant | string): Promise<void> {
  const moment = at.toString()
  await db.shared.query(sql`
    update business_clocks set frozen_at = ${moment}, advance_to = ${moment} where business_id = ${businessId}`)
}

/** Lets the tenant's clock run, and adds this to what it is ahead of real time. */
export async function letRun(
  db: Database,
  businessId: string,
  ahead: Temporal.DurationLike = { seconds: 0 },
): Promise<void> {
  await db.shared.query(sql`
    update business_clocks
       set frozen_at = null, advance_to = null, offset_ms = offset_ms + ${millisecondsOf(ahead)}
     where business_id = ${businessId}`)
}

/** Lets the tenant's clock run on from where it stands. */
export async function letRunOn(db: Database, businessId: string): Promise<void> {
  await db.shared.query(sql`
    update business_clocks
       set frozen_at = null, advance_to = null, offset_ms = (extract(epoch from frozen_at - now()) * 1000)::bigint
     where business_id = ${businessId}`)
}

/** Moves a running clock and does what is due by then, each at its own time, as the sandbox does. */
export async function advance(
  db: Database,
  works: readonly Job[],
  businessId: string,
  by: Temporal.DurationLike,
): Promise<void> {
  const now = await db.transact(businessId, async (tx) => tx.now)
  await advanceTo(db, works, businessId, now.add({ milliseconds: millisecondsOf(by) }))
  await letRun(db, businessId, by)
  await db.transact(businessId, (tx) => rebuildSchedule(tx, works))
}

/** Does what is due until then, each at its own time; the clock stands at `until` at the end. */
export async function advanceTo(
  db: Database,
  works: readonly Job[],
  businessId: string,
  until: Instant,
): Promise<void> {
  for (;;) {
    const next = await nextDue(db, works, businessId)
    if (next === undefined || isAfter(next.at, until)) break
    await standAt(db, businessId, next.at)
    await next.work.run({ businessId, until: next.at, timeOf: (dueAt) => dueAt })
  }
  await standAt(db, businessId, until)
}

async function nextDue(
  db: Database,
  works: readonly Job[],
  businessId: string,
): Promise<{ work: Job; at: Instant } | undefined> {
  let next: { work: Job; at: Instant } | undefined
  for (const work of works) {
    const at = await db.transact(businessId, (tx) => work.nextRunAt(tx))
    if (at !== null && (next === undefined || isBefore(at, next.at))) next = { work, at }
  }
  return next
}

function millisecondsOf(duration: Temporal.DurationLike): number {
  const ms = Temporal.Duration.from(duration).total({ unit: 'milliseconds', relativeTo: '2026-01-01' })
  return Math.round(ms)
}

import sql from 'sql-template-tag'
import { type Instant, isAfter, realClock, toRfc3339 } from '#kernel/clock'
import { type ClockRow, exclusiveClockLock } from '#platform/postgres/tenant-session'
import type { SharedStatements, Tx } from '#platform/postgres/database'
import type { IdempotencyId } from '#platform/idempotency/idempotency'

interface StoredClock extends ClockRow {
  readonly advance_to: Instant | null
}

export async function readClock(shared: SharedStatements, businessId: string): Promise<StoredClock> {
  const [clock] = await shared.query<StoredClock>(sql`
    select offset_ms, frozen_at, advance_to from business_clocks where business_id = ${businessId}`)
  if (clock === undefined) throw new Error(`no business ${businessId}`)
  return clock
}

export interface Lease {
  readonly driverId: string
  readonly until: Instant
}

/**
 * Others see the clock run until the start of the advance commits (up to 40 ms on a busy machine). The clock freezes a little
 * ahead of now, so that nobody sees it go back.
 */
const FREEZE_AHEAD_MS = 200

/** Freezes the clock and stores its target. Returns false if the clock is or was being advanced since the transaction began. */
export async function startAdvance(
  tx: Tx,
  advance: { readonly target: Instant; readonly lease: Lease; readonly idempotencyId: IdempotencyId },
): Promise<boolean> {
  const { target, lease } = advance
  const ahead = tx.now.add({ milliseconds: FREEZE_AHEAD_MS })
  const frozenAt = isAfter(ahead, target) ? target : ahead
  const updated = await tx.execute(sql`
    update business_clocks
       set frozen_at = ${toRfc3339(frozenAt)}, advance_to = ${toRfc3339(target)}, driver_id = ${lease.driverId},
           driver_leased_until = ${toRfc3339(lease.until)}, idempotency_id = ${advance.idempotencyId}
     where business_id = ${tx.businessId} and advance_to is null and offset_ms = ${tx.clockOffsetMs ?? null}`)
  return updated === 1
}

export async function claimAdvance(
  shared: SharedStatements,
  businessId: string,
  lease: Lease,
): Promise<Instant | undefined> {
  const [claimed] = await shared.query<{ advance_to: Instant }>(sql`
    update business_clocks set driver_id = ${lease.driverId}, driver_leased_until = ${toRfc3339(lease.until)}
     where business_id = ${businessId} and advance_to is not null
       and (driver_leased_until is null or driver_leased_until < ${toRfc3339(realClock.now())})
    returning advance_to`)
  return claimed?.advance_to
}

export async function renewLease(
  shared: SharedStatements,
  businessId: string,
  lease: Lease,
): Promise<boolean> {
  const renewed = await shared.query(sql`
    update business_clocks set driver_leased_until = ${toRfc3339(lease.until)}
     where business_id = ${businessId} and driver_id = ${lease.driverId}
    returning 1`)
  return renewed.length === 1
}

export async function releaseLease(
  shared: SharedStatements,
  businessId: string,
  driverId: string,
): Promise<void> {
  await shared.query(sql`
    update business_clocks set driver_id = null, driver_leased_until = null
     where business_id = ${businessId} and driver_id = ${driverId}`)
}

export async function nextTakeOver(tx: Tx): Promise<Instant | null> {
  const [clock] = await tx.query<{ driver_leased_until: Instant | null }>(sql`
    select driver_leased_until from business_clocks
     where business_id = ${tx.businessId} and advance_to is not null`)
  return clock === undefined ? null : (clock.driver_leased_until ?? realClock.now())
}

/**
 * Moves the frozen clock to `at`, without waiting for the disk: all work at `at` is written later, so a crash that loses this
 * write loses nothing else. Returns false if another driver has taken over.
 */
export async function moveFrozenClock(tx: Tx, driverId: string, at: Instant): Promise<boolean> {
  const [, moved] = await Promise.all([
    tx.query(sql`select set_config('synchronous_commit', 'off', true)`),
    tx.execute(sql`
      update business_clocks set frozen_at = ${toRfc3339(at)}
       where business_id = ${tx.businessId} and driver_id = ${driverId}`),
  ])
  return moved === 1
}

export async function waitForOthers(tx: Tx): Promise<void> {
  await tx.query(sql`select ${exclusiveClockLock(tx.businessId)}`)
}

export async function lockAdvance(
  tx: Tx,
  driverId: string,
): Promise<{ idempotencyId: IdempotencyId } | undefined> {
  const [clock] = await tx.query<{ idempotencyId: IdempotencyId }>(sql`
    select idempotency_id as "idempotencyId" from business_clocks
     where business_id = ${tx.businessId} and driver_id = ${driverId}
       for update`)
  return clock
}

export async function endAdvance(tx: Tx, offsetMs: number): Promise<void> {
  await tx.execute(sql`
    update business_clocks
       set offset_ms = ${offsetMs}, frozen_at = null, advance_to = null, driver_id = null,
           driver_leased_until = null, idempotency_id = null
     where business_id = ${tx.businessId}`)
}

export const END_ADVANCE_LEASES = sql`
  update business_clocks set driver_id = null, driver_leased_until = null where driver_id is not null`

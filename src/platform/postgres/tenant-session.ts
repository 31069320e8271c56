import type pg from 'pg'
import sql, { empty, type Sql } from 'sql-template-tag'
import { type Instant, realClock } from '#kernel/clock'
import { wire } from '#platform/postgres/wire/current-wire'

/**
 * - `isSnapshot`: Read-only; all reads see the same moment.
 * - `isSearch`: For lists that the caller filters. Searches of one tenant run a few at a time, and their statements
 *   are not kept prepared because every filter makes another text. They read by indexes only, because the planner does not
 *   distinguish tenants (migration 0022): for a rare value it would read the rows of all tenants. Throws 429 `rate_limited`
 *   and 503 `search_too_slow`.
 * - `isUnbounded`: Read-only and without a time limit, for checks of the whole database.
 * - `waitingSinceMs`: On the clock of `performance.now()`: the caller has waited since then, so the wait for a connection
 *   counts from there.
 * - `usesSharedTables`: Also writes tables that belong to no tenant, or reads tables that only the coordinator of Citus has.
 * - `onWrite`: Called once the transaction has committed, if one of its statements may have written.
 */
export interface TransactOptions {
  readonly isSnapshot?: boolean
  readonly isSearch?: boolean
  readonly isUnbounded?: boolean
  readonly waitingSinceMs?: number | undefined
  readonly usesSharedTables?: boolean
  readonly onWrite?: () => void
}

/** A transaction that is not ready for COMMIT by then is rolled back and run again. */
export const MAX_WORK_MS = 15_000

export function maxWorkMs({ isUnbounded = false }: TransactOptions): number {
  return isUnbounded ? Infinity : MAX_WORK_MS
}

export function isReadOnly({ isSnapshot, isSearch, isUnbounded }: TransactOptions): boolean {
  return isSnapshot === true || isSearch === true || isUnbounded === true
}

export interface ClockRow {
  readonly offset_ms: bigint
  readonly frozen_at: Instant | null
}

export function timeOn({ frozen_at: frozenAt, offset_ms: offsetMs }: ClockRow): Instant {
  return frozenAt ?? realClock.now().add({ milliseconds: Number(offsetMs) })
}

export function isSameClock(a: ClockRow, b: ClockRow): boolean {
  return a.offset_ms === b.offset_ms && a.frozen_at?.epochMilliseconds === b.frozen_at?.epochMilliseconds
}

/**
 * Every writing transaction holds this lock of its business, shared, until it ends. Whoever starts a standing clock takes the
 * lock exclusively. So no transaction that began earlier can commit later what was due in the past. It is an advisory lock, not
 * a lock of the clock's row: it is kept in memory, and its queue does not starve the exclusive side.
 */
export function sharedClockLock(businessId: string): Sql {
  return sql`pg_advisory_xact_lock_shared(1, hashtext(${businessId}))`
}

export function exclusiveClockLock(businessId: string): Sql {
  return sql`pg_advisory_xact_lock(1, hashtext(${businessId}))`
}

export async function readClock(
  client: pg.PoolClient,
  businessId: string,
  calls: Sql = empty,
): Promise<ClockRow> {
  const { rows } = await wire.queryInTransaction<ClockRow>(
    client,
    sql`select c.offset_ms, c.frozen_at
          from business_clocks c${calls}
         where c.business_id = ${businessId}`,
  )
  const [clock] = rows
  if (clock === undefined) throw new Error(`no business ${businessId}`)
  return clock
}

export function setTenant(businessId: string): Sql {
  return sql`set_config('quittance.business_id', ${businessId}, true)`
}

export function readByIndex(): Sql {
  return sql`set_config('enable_seqscan', 'off', true) planned`
}

/** Throws the error of the statement that failed. Statements that were skipped because of it may reject earlier. */
export async function allSucceeded(sent: readonly Promise<unknown>[]): Promise<void> {
  try {
    await Promise.all(sent)
  } catch (error) {
    const settled = await Promise.allSettled(sent)
    const reasons = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
    throw reasons.find((reason) => !wire.isSkipped(reason)) ?? error
  }
}

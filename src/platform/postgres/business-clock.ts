import sql, { type Sql } from 'sql-template-tag'
import { type Instant, realClock } from '#kernel/clock'

export interface ClockRow {
  readonly offset_ms: bigint
  readonly frozen_at: Instant | null
}

export function timeOn({ frozen_at: frozenAt, offset_ms: offsetMs }: ClockRow): Instant {
  return frozenAt ?? realClock.now().add({ milliseconds: Number(offsetMs) })
}

/**
 * Every writing transaction holds this lock of its business, shared, until it ends. Setting a standing clock running takes
 * the lock exclusively, so no transaction that began before commits afterwards work that is due in the past. An advisory
 * lock, not a lock of the clock's row: it is kept in memory, and its queue does not starve the exclusive side.
 */
export function sharedClockLock(businessId: string): Sql {
  return sql`pg_advisory_xact_lock_shared(1, hashtext(${businessId}))`
}

export function exclusiveClockLock(businessId: string): Sql {
  return sql`pg_advisory_xact_lock(1, hashtext(${businessId}))`
}

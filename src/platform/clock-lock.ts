import sql, { type Sql } from 'sql-template-tag'

/**
 * Who works by a clock that stands still shares this lock with the others until the end of the transaction; who sets the
 * clock running takes it alone. So nothing that was begun by the standing clock is committed after it runs again, due at a
 * time that has passed. A lock of PostgreSQL's own queue and not of the clock's row: there whoever wants it alone would
 * wait as long as others keep coming.
 */
export function sharedClockLock(businessId: string): Sql {
  return sql`select pg_advisory_xact_lock_shared(1, hashtext(${businessId}))`
}

export function soleClockLock(businessId: string): Sql {
  return sql`select pg_advisory_xact_lock(1, hashtext(${businessId}))`
}

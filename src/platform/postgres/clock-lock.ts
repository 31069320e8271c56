import sql, { type Sql } from 'sql-template-tag'

/**
 * Who writes shares this lock of the business with the others until the end of the transaction; who sets a clock running
 * that stood still takes it alone. So nothing that was begun before is committed after it, due at a time that has passed. A
 * lock of PostgreSQL's own queue and not of the clock's row: it is kept in memory, and whoever wants it alone does not wait
 * for as long as others keep coming.
 */
export function sharedClockLock(businessId: string): Sql {
  return sql`pg_advisory_xact_lock_shared(1, hashtext(${businessId}))`
}

export function soleClockLock(businessId: string): Sql {
  return sql`pg_advisory_xact_lock(1, hashtext(${businessId}))`
}

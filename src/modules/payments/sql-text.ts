import sql from 'sql-template-tag'
import type { Sql } from 'sql-template-tag'
import { toRfc3339 } from '#kernel/clock'
import type { Instant } from '#kernel/clock'

/** A time as a statement's parameter. */
export function instantText(instant: Instant | null): string | null {
  return instant === null ? null : toRfc3339(instant)
}

/**
 * That a column is one of these. Of one it is a plain comparison: with that the planner looks up a single row, also while
 * its statistics say that the table has hardly any and reading them all costs the same.
 */
export function isOneOf(column: Sql, values: readonly string[]): Sql {
  const [only] = values
  return values.length === 1 ? sql`${column} = ${only}` : sql`${column} = any(${[...values]}::text[])`
}

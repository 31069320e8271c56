import sql from 'sql-template-tag'
import type { Sql } from 'sql-template-tag'

/**
 * That a column is one of these. Of one it is a plain comparison: with that the planner looks up a single row, also while
 * its statistics say that the table has hardly any and reading them all costs the same.
 */
export function isOneOf(column: Sql, values: readonly string[]): Sql {
  const [only] = values
  return values.length === 1 ? sql`${column} = ${only}` : sql`${column} = any(${[...values]}::text[])`
}

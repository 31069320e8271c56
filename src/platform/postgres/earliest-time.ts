import sql, { type Sql } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'

/**
 * The earliest time in a column of the business's rows: when work on them is due next; null when none is.
 * @param condition which rows count, as an index on the column has it
 */
export async function earliestTime(
  tx: Tx,
  table: Sql,
  column: Sql,
  condition: Sql = sql`${column} is not null`,
): Promise<Instant | null> {
  const [row] = await tx.query<{ at: Instant }>(sql`
    select ${column} as at from ${table}
     where business_id = ${tx.businessId} and ${condition}
     order by ${column} limit 1`)
  return row?.at ?? null
}

import sql, { type Sql } from 'sql-template-tag'
import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'

/**
 * The earliest time in a column of the business's rows, for `Job.nextRunAt`; null without rows.
 * @param condition which rows count, written as in the partial index on the column
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

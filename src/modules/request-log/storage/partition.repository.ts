import sql from 'sql-template-tag'
import type { SharedStatements } from '#platform/postgres/database'

export interface KeptDays {
  readonly first: Temporal.PlainDate
  readonly last: Temporal.PlainDate
  readonly keepFrom: Temporal.PlainDate
}

export async function keepPartitions(
  shared: SharedStatements,
  { first, last, keepFrom }: KeptDays,
): Promise<void> {
  await shared.query(sql`
    select quittance_request_log_days(${first.toString()}::date, ${last.toString()}::date, ${keepFrom.toString()}::date)`)
}

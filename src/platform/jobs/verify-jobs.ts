import sql, { join, type Sql } from 'sql-template-tag'
import { realClock, toRfc3339 } from '#kernel/clock'
import { MAX_TRANSACTION_MS } from '#platform/postgres/database'
import type { Job } from '#platform/jobs/jobs'

/** What one kind of work finds to do. */
export interface DueRows extends Pick<Job, 'name'> {
  /** The clock that `due_at` is on; the business's unless told otherwise. */
  readonly clock?: Job['clock']
  /** Selects `object` and `due_at` of everything that is to be done now or later. */
  readonly rows: Sql
}

/**
 * How late a head may be: the runner's second look comes that long after its work, and clocks of two machines differ. It
 * is no loss, since what was overlooked is found by that look.
 */
const LATEST_HEAD_MS = 2 * MAX_TRANSACTION_MS

/**
 * Selects as a rule does what no head leads to, so that the runner would never do it (docs/decisions/0002). That holds
 * whether a service runs or not: how long something has been due says nothing. While a clock is being advanced heads
 * of its work are not kept; they are made anew at its end.
 */
export function dueWithoutHead(businessId: string, works: readonly DueRows[]): Sql {
  return join(
    works.map((work) => withoutHeadOf(businessId, work)),
    ' union all ',
  )
}

function withoutHeadOf(businessId: string, { name, clock, rows }: DueRows): Sql {
  const isReal = clock === 'real'
  return sql`
    select d.object, ${name}::text || ' due at ' || d.due_at || ', head ' || coalesce('at ' || h.due_at, 'missing') as detail
      from (${rows}) d
      join business_clocks c on c.business_id = ${businessId} and (${isReal}::boolean or c.frozen_at is null)
      left join next_runs h on h.business_id = ${businessId} and h.job = ${name}
     cross join lateral (
           select d.due_at - case when ${isReal}::boolean then 0 else c.offset_ms end * interval '1 millisecond' as at) real
     where h.due_at is null
        or h.due_at > greatest(real.at, ${toRfc3339(realClock.now())}::timestamptz)
                      + ${LATEST_HEAD_MS}::int * interval '1 millisecond'`
}

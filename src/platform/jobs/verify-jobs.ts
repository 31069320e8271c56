import sql, { join, type Sql } from 'sql-template-tag'
import { realClock, toRfc3339 } from '#kernel/clock'
import { MAX_TRANSACTION_MS } from '#platform/postgres/database'
import type { Job } from '#platform/jobs/jobs'

export interface JobRows extends Pick<Job, 'name'> {
  readonly clock?: Job['clock']
  readonly rows: Sql
}

/**
 * How late a scheduled run may be. The runner's second recheck comes one transaction timeout after its last work and finds
 * anything that was missed; the rest allows for clocks of two machines that differ.
 */
const MAX_DELAY_MS = 2 * MAX_TRANSACTION_MS

/**
 * A rule for `quittance verify`: selects rows for which no run is scheduled, so that nothing would ever handle them
 * (docs/decisions/next-runs-without-locks). The rule holds whether or not a service runs, so how long a row has been due does not matter. While a
 * clock is being advanced, jobs on that clock are not scheduled.
 */
export function dueWithoutNextRun(businessId: string, jobs: readonly JobRows[]): Sql {
  return join(
    jobs.map((job) => withoutNextRun(businessId, job)),
    ' union all ',
  )
}

function withoutNextRun(businessId: string, { name, clock, rows }: JobRows): Sql {
  const isReal = clock === 'real'
  return sql`
    select d.object, ${name}::text || ' due at ' || d.due_at || ', next run ' || coalesce('at ' || n.due_at, 'missing') as detail
      from (${rows}) d
      join business_clocks c on c.business_id = ${businessId} and (${isReal}::boolean or c.frozen_at is null)
      left join next_runs n on n.business_id = ${businessId} and n.job = ${name}
     cross join lateral (
           select d.due_at - case when ${isReal}::boolean then 0 else c.offset_ms end * interval '1 millisecond' as at) real
     where n.due_at is null
        or n.due_at > greatest(real.at, ${toRfc3339(realClock.now())}::timestamptz)
                      + ${MAX_DELAY_MS}::int * interval '1 millisecond'`
}

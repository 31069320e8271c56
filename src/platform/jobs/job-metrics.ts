import { Counter, type Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { realClock, toRfc3339 } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import { addDatabaseGauge } from '#platform/observability/metrics'

/** Whether due work is done, for Prometheus. The only label is the kind of work. */
export interface JobMetrics {
  readonly countFailure: (job: string) => void
}

/** The gauge is read from the heads by any process: that no worker runs is told by those that are none. */
export function createJobMetrics(registry: Registry, db: Pick<Database, 'shared'>): JobMetrics {
  addDatabaseGauge(registry, {
    name: 'jobs_late_seconds',
    help: 'How long what is due has waited longest, by job of work; none when nothing waits.',
    labelNames: ['job'],
    read: async () => {
      // While a clock is being advanced whoever advances it does what is due.
      const late = await db.shared.query<{ job: string; seconds: number }>(sql`
        select h.job, extract(epoch from ${toRfc3339(realClock.now())}::timestamptz - min(h.due_at))::float8 as seconds
          from next_runs h
          join business_clocks c on c.business_id = h.business_id
         where h.due_at <= ${toRfc3339(realClock.now())}::timestamptz and c.frozen_at is null
         group by h.job`)
      return late.map(({ job, seconds }) => ({ labels: { job }, value: seconds }))
    },
  })
  const failures = new Counter({
    name: 'job_failures_total',
    help: 'Runs of due work that failed; they are tried again, and the log says why.',
    labelNames: ['job'] as const,
    registers: [registry],
  })
  return { countFailure: (job) => failures.inc({ job }) }
}

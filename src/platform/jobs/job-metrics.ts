import { Counter, type Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { realClock, toRfc3339 } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import { addDatabaseGauge } from '#platform/observability/metrics'

export interface JobMetrics {
  readonly countFailure: (job: string) => void
}

/** The gauge is read from `next_runs` in every process, so that API processes report a missing worker. */
export function createJobMetrics(registry: Registry, db: Pick<Database, 'shared'>): JobMetrics {
  addDatabaseGauge(registry, {
    name: 'jobs_late_seconds',
    help: 'How late the longest-waiting run of each job is; absent when no run is late.',
    labelNames: ['job'],
    read: async () => {
      const late = await db.shared.query<{ job: string; seconds: number }>(sql`
        select n.job, extract(epoch from ${toRfc3339(realClock.now())}::timestamptz - min(n.due_at))::float8 as seconds
          from next_runs n
          join business_clocks c on c.business_id = n.business_id
         where n.due_at <= ${toRfc3339(realClock.now())}::timestamptz and c.frozen_at is null
         group by n.job`)
      return late.map(({ job, seconds }) => ({ labels: { job }, value: seconds }))
    },
  })
  const failures = new Counter({
    name: 'job_failures_total',
    help: 'Job runs that failed. Each is retried, and the log has the error.',
    labelNames: ['job'] as const,
    registers: [registry],
  })
  return { countFailure: (job) => failures.inc({ job }) }
}

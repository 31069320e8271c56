import { Counter, type Registry } from 'prom-client'
import sql from 'sql-template-tag'
import { realClock, toRfc3339 } from '#kernel/clock'
import type { Database } from '#platform/postgres/database'
import { addDatabaseGauge, addDurations } from '#platform/observability/metrics'

export type ObserveRun = (job: string, handled: number, durationMs: number) => void

export interface JobMetrics {
  readonly countFailure: (job: string) => void
  readonly observeRun: ObserveRun
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
  const handledRows = new Counter({
    name: 'job_handled_total',
    help: 'Rows that job runs handled, such as plans billed.',
    labelNames: ['job'] as const,
    registers: [registry],
  })
  const observeDuration = addDurations(registry, {
    name: 'job_run_duration_seconds',
    help: 'Duration of job runs.',
    labelNames: ['job'],
  })
  return {
    countFailure: (job) => failures.inc({ job }),
    observeRun: (job, handled, durationMs) => {
      handledRows.inc({ job }, handled)
      observeDuration({ job }, durationMs / 1_000)
    },
  }
}

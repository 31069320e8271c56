import type { Registry } from 'prom-client'
import { createDecisionMetrics } from '#modules/cards'
import { addOutcomeMetrics } from '#modules/payments'
import { createAttemptMetrics } from '#modules/webhooks'
import { createEventMetrics } from '#platform/events/event-metrics'
import { createJobMetrics } from '#platform/jobs/job-metrics'
import { addDatabaseMetrics } from '#platform/observability/database-metrics'
import type { Database } from '#platform/postgres/database'

export function observers(registry: Registry, db: Database) {
  addDatabaseMetrics(registry, db)
  addOutcomeMetrics(registry, db)
  const { countFailure, observeRun } = createJobMetrics(registry, db)
  return {
    onEvent: createEventMetrics(registry),
    onFailure: countFailure,
    onRun: observeRun,
    onAttempt: createAttemptMetrics(registry),
    onDecision: createDecisionMetrics(registry),
  }
}

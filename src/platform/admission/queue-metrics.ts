import { Counter, Histogram, type Registry } from 'prom-client'
import { type QueueObserver, SHEDDABLE } from '#platform/admission/fair-queue'

const WAIT_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.4, 1, 2]

export function addQueueMetrics(registry: Registry): QueueObserver {
  const waits = new Histogram({
    name: 'database_queue_wait_seconds',
    help: 'How long work that had to queue waited for a connection to the database, by priority.',
    labelNames: ['priority'] as const,
    buckets: WAIT_BUCKETS,
    registers: [registry],
  })
  const refused = new Counter({
    name: 'database_queue_refused_total',
    help: 'Requests refused with 503 overloaded because they waited too long for a connection, by priority.',
    labelNames: ['priority'] as const,
    registers: [registry],
  })
  for (const priority of SHEDDABLE) refused.inc({ priority }, 0)
  return {
    waited: (priority, ms) => waits.observe({ priority }, ms / 1_000),
    refused: (priority) => refused.inc({ priority }),
  }
}

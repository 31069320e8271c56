import { Gauge, type Registry } from 'prom-client'
import { addDurations } from '#platform/observability/metrics'
import type { Database } from '#platform/postgres/database'

export function addDatabaseMetrics(
  registry: Registry,
  db: Pick<Database, 'connections' | 'onTransaction'>,
): void {
  const gauge = new Gauge({
    name: 'database_connections',
    help: 'Connections of the pool that are busy or idle, and transactions waiting for one.',
    labelNames: ['state'] as const,
    registers: [],
    collect: () => {
      for (const [state, count] of Object.entries(db.connections())) gauge.set({ state }, count)
    },
  })
  registry.registerMetric(gauge)
  const observe = addDurations(registry, {
    name: 'database_transaction_duration_seconds',
    help: 'Duration of committed transactions, with their wait for a connection.',
    labelNames: [],
  })
  db.onTransaction((durationMs) => observe({}, durationMs / 1_000))
}

import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Prometheus metrics. Labels never name a business, an app or an order. `route` is a pattern, such as `/orders/:id`. */
export interface Metrics {
  readonly registry: Registry
  observeRequest(method: string, route: string, status: number, seconds: number): void
}

/** From 1 ms for reads to 30 s for an acquirer that uses its whole timeout. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests, by route pattern and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: DURATION_BUCKETS,
    registers: [registry],
  })
  return {
    registry,
    observeRequest: (method, route, status, seconds) => {
      durations.observe({ method, route, status }, seconds)
    },
  }
}

/** Prometheus waits ten seconds for a whole scrape. */
const MAX_READ_MS = 2_000

export interface DatabaseGauge<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly Label[]
  readonly read: () => Promise<readonly { labels: Record<Label, string>; value: number }[]>
}

/**
 * A gauge that is read from the database at each scrape, so every process reports the same value. It reports nothing while the
 * database is unreachable, because an old value would look current.
 */
export function addDatabaseGauge<Label extends string>(
  registry: Registry,
  gauge: DatabaseGauge<Label>,
): void {
  const { read, ...description } = gauge
  const figures = new Gauge({
    ...description,
    registers: [registry],
    collect: async () => {
      const late = sleep(MAX_READ_MS, [], { ref: false })
      const values = await Promise.race([read(), late]).catch(() => [])
      figures.reset()
      // `reset` sets a gauge without labels to 0 instead of removing it.
      if (gauge.labelNames.length === 0) figures.remove()
      for (const { labels, value } of values) figures.set(labels, value)
    },
  })
}

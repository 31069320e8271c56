import { setTimeout as sleep } from 'node:timers/promises'
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The process's own figures, for Prometheus. No label ever names a business, an app or an order. */
export interface Metrics {
  readonly registry: Registry
  /** Counts a request. `route` is the pattern, such as `/orders/:id`. */
  observeRequest(method: string, route: string, status: number, seconds: number): void
}

/** 1 ms to 30 s: a read takes a few milliseconds, an acquirer may take its whole timeout. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by route pattern and status.',
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

/** Of the ten seconds that Prometheus waits for everything a process has to tell. */
const MAX_READ_MS = 2_000

export interface DatabaseGauge<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly Label[]
  readonly read: () => Promise<readonly { labels: Record<Label, string>; value: number }[]>
}

/**
 * A gauge of what the database holds, read at each scrape; every process tells the same. There is none while the database
 * cannot be asked: the figure of before would look like one of now.
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
      const found = await Promise.race([read(), late]).catch(() => [])
      figures.reset()
      // A reset leaves a zero where there are no labels.
      if (gauge.labelNames.length === 0) figures.remove()
      for (const { labels, value } of found) figures.set(labels, value)
    },
  })
}

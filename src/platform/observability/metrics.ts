import { setTimeout as sleep } from 'node:timers/promises'
import type { Span } from '@opentelemetry/api'
import { collectDefaultMetrics, Gauge, Histogram, Registry, type RegistryContentType } from 'prom-client'
import type { QueueObserver } from '#platform/admission/fair-queue'
import { addQueueMetrics } from '#platform/admission/queue-metrics'
import { exemplarOf } from '#platform/observability/tracing'
import { currentSpan } from '#platform/request-scope'

/** Prometheus metrics. Labels never name a business, an app or an order. `route` is a pattern, such as `/orders/:id`. */
export interface Metrics {
  readonly registry: Registry
  readonly observeRequest: Observe<'method' | 'route' | 'status'>
  readonly queues: QueueObserver
}

export type Observe<Label extends string> = (
  labels: Record<Label, string>,
  seconds: number,
  span?: Span,
) => void

/** From 1 ms for reads to 30 s for an acquirer that uses its whole timeout. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Only the OpenMetrics format has exemplars, and prom-client cannot change the format between two scrapes. */
export function createMetrics({ withExemplars = false } = {}): Metrics {
  const registry = new Registry()
  if (withExemplars) {
    ;(registry as Registry<RegistryContentType>).setContentType(Registry.OPENMETRICS_CONTENT_TYPE)
  }
  collectDefaultMetrics({ register: registry })
  return {
    registry,
    observeRequest: addDurations(registry, {
      name: 'http_request_duration_seconds',
      help: 'Duration of HTTP requests, by route pattern and status.',
      labelNames: ['method', 'route', 'status'],
    }),
    queues: addQueueMetrics(registry),
  }
}

interface Durations<Label extends string> {
  readonly name: string
  readonly help: string
  readonly labelNames: readonly Label[]
  readonly buckets?: readonly number[]
}

export function addDurations<Label extends string>(
  registry: Registry,
  { name, help, labelNames, buckets = DURATION_BUCKETS }: Durations<Label>,
): Observe<Label> {
  const enableExemplars = (registry.contentType as string) === Registry.OPENMETRICS_CONTENT_TYPE
  const histogram = new Histogram<Label>({
    name,
    help,
    labelNames: [...labelNames],
    buckets: [...buckets],
    enableExemplars,
    registers: [registry],
  })
  if (!enableExemplars) return (labels, seconds) => histogram.observe(labels, seconds)
  return (labels, seconds, span = currentSpan()) => {
    const exemplarLabels: object = exemplarOf(span) ?? {}
    histogram.observe({ labels, value: seconds, exemplarLabels })
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

import type { Registry } from 'prom-client'
import { addDurations } from '#platform/observability/metrics'
import type { DeliveryState } from './model/delivery.states.ts'

export type ObserveAttempt = (state: DeliveryState, durationMs: number) => void

export function createAttemptMetrics(registry: Registry): ObserveAttempt {
  const observe = addDurations(registry, {
    name: 'webhook_attempt_duration_seconds',
    help: 'Duration of attempts to deliver webhooks, by what became of the delivery.',
    labelNames: ['result'],
  })
  return (state, durationMs) => observe({ result: state }, durationMs / 1_000)
}

import type { Registry } from 'prom-client'
import { addDurations } from '#platform/observability/metrics'
import type { ObserveDecision } from '../model/decision.ts'

export function createDecisionMetrics(registry: Registry): ObserveDecision {
  const observe = addDurations(registry, {
    name: 'card_decision_duration_seconds',
    help: 'Duration of decisions on card authorizations, decision hooks included.',
    labelNames: ['decision'],
  })
  return (isApproved, durationMs) =>
    observe({ decision: isApproved ? 'approved' : 'declined' }, durationMs / 1_000)
}

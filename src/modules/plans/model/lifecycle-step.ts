import { type Instant, isBefore } from '#kernel/clock'
import { hasEnded, type PlanAggregate } from './plan.ts'

/**
 * What a plan does at a scheduled time, apart from billing. Such steps come before a period that begins at the same time,
 * and in this order (reference/billing-lifecycle).
 */
export interface LifecycleStep {
  readonly kind: 'cancellation' | 'pause_end' | 'trial_notice' | 'trial_end'
  readonly at: Instant
}

export function nextLifecycleStep({ plan }: PlanAggregate): LifecycleStep | null {
  const { cancelAt, pauseUntil, trial, paused } = plan
  if (cancelAt === null && pauseUntil === null && trial?.state !== 'running') return null
  if (hasEnded(plan)) return null
  let next: LifecycleStep | null = null
  const consider = (kind: LifecycleStep['kind'], at: Instant | null): void => {
    if (at !== null && (next === null || isBefore(at, next.at))) next = { kind, at }
  }
  consider('cancellation', cancelAt)
  if (paused) consider('pause_end', pauseUntil)
  if (trial?.state === 'running') {
    if (!paused) consider('trial_notice', trial.noticeAt)
    consider('trial_end', trial.end)
  }
  return next
}

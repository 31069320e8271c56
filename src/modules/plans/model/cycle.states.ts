import type { StateTable } from '#kernel/state-table'

/**
 * The states of a cycle (reference/recurring#cycles). The plan shows the state of its current cycle. After a pause, the orders
 * and the plan determine the cycle's state.
 */
export const CYCLE_STATES = {
  upcoming: { start: 'active', pause: 'paused', cancel: 'canceled' },
  active: {
    mark_past_due: 'past_due',
    mark_uncollectible: 'uncollectible',
    pause: 'paused',
    complete: 'completed',
    cancel: 'canceled',
  },
  past_due: {
    recover: 'active',
    mark_uncollectible: 'uncollectible',
    pause: 'paused',
    complete: 'completed',
    cancel: 'canceled',
  },
  paused: {
    resume_before_start: 'upcoming',
    recover: 'active',
    mark_past_due: 'past_due',
    mark_uncollectible: 'uncollectible',
    complete: 'completed',
    cancel: 'canceled',
  },
  // A payment recovers the cycle only once every order without retries is paid.
  uncollectible: {
    recover: 'active',
    mark_past_due: 'past_due',
    pause: 'paused',
    complete: 'completed',
    cancel: 'canceled',
  },
  completed: {},
  canceled: {},
} as const satisfies StateTable<CycleEvent>

export type CycleState = keyof typeof CYCLE_STATES
export type CycleEvent =
  | 'start'
  | 'mark_past_due'
  /** Every order is paid or voided, or has its first attempt to come. */
  | 'recover'
  | 'mark_uncollectible'
  | 'pause'
  | 'resume_before_start'
  | 'complete'
  | 'cancel'

export function isFinal(state: CycleState): boolean {
  return state === 'completed' || state === 'canceled'
}

import type { StateTable } from '#kernel/state-table'

/**
 * The life of a recurring cycle (decisions, section 5). The plan's `state` is that of its current cycle.
 *
 * `paused` remembers nothing by itself: whether orders are unpaid or given up stands in the orders and the plan, so
 * that `resume` and `recover` know where to go back to.
 */
export const CYCLE_STATES = {
  upcoming: { start: 'active', pause: 'paused', cancel: 'canceled' },
  active: {
    miss: 'past_due',
    mark_uncollectible: 'uncollectible',
    pause: 'paused',
    finish: 'completed',
    cancel: 'canceled',
  },
  past_due: {
    recover: 'active',
    mark_uncollectible: 'uncollectible',
    pause: 'paused',
    finish: 'completed',
    cancel: 'canceled',
  },
  paused: {
    resume_before_start: 'upcoming',
    recover: 'active',
    miss: 'past_due',
    mark_uncollectible: 'uncollectible',
    finish: 'completed',
    cancel: 'canceled',
  },
  // Only payment leads out of here, of every order whose attempts were used up.
  uncollectible: {
    recover: 'active',
    miss: 'past_due',
    pause: 'paused',
    finish: 'completed',
    cancel: 'canceled',
  },
  completed: {},
  canceled: {},
} as const satisfies StateTable<CycleEvent>

export type CycleState = keyof typeof CYCLE_STATES
export type CycleEvent =
  | 'start'
  /** An order of the cycle is unpaid after its first attempt. */
  | 'miss'
  /** None is any more: each was paid or voided. */
  | 'recover'
  /** The attempts of an order of the plan were used up. */
  | 'mark_uncollectible'
  | 'pause'
  | 'resume_before_start'
  | 'finish'
  | 'cancel'

/** Whether nothing leads out of the state any more. */
export function isFinal(state: CycleState): boolean {
  return state === 'completed' || state === 'canceled'
}

import { expect, test } from 'vitest'
import { nextState } from '#kernel/state-table'
import { CYCLE_STATES, type CycleEvent, type CycleState, isFinal } from './cycle.states.ts'

// Proves reference/recurring#cycles.
test('every transition of the table leads to a state of the table, and nothing leads out of a final state', () => {
  const states = Object.keys(CYCLE_STATES) as CycleState[]
  const transitions: CycleEvent[] = [
    'start',
    'mark_past_due',
    'recover',
    'mark_uncollectible',
    'pause',
    'resume_before_start',
    'complete',
    'cancel',
  ]
  for (const state of states) {
    for (const name of transitions) {
      const next = nextState(CYCLE_STATES, state, name)
      if (next !== undefined) expect(states).toContain(next)
      if (isFinal(state)) expect(next).toBeUndefined()
    }
  }
})

import { expect, test } from 'vitest'
import { nextState } from '#kernel/state-table'
import {
  isUnresolved,
  TRANSACTION_STATES,
  type TransactionEvent,
  type TransactionState,
} from './transaction.states.ts'

// Proves reference/payments#states.

test('a transaction moves only as the reference says, for every state and event', () => {
  const states = Object.keys(TRANSACTION_STATES) as TransactionState[]
  const open = ['initiated', 'pending', 'requires_action', 'unknown'] as const
  expect(states.filter(isUnresolved)).toEqual(open)
  const from = (origins: readonly TransactionState[], to: TransactionState) =>
    Object.fromEntries(origins.map((origin) => [origin, to]))
  const moves: Record<TransactionEvent, Partial<Record<TransactionState, TransactionState>>> = {
    approve: from(open, 'succeeded'),
    authorize: from(open, 'authorized'),
    decline: from(open, 'failed'),
    wait: from(['initiated', 'requires_action', 'unknown'], 'pending'),
    challenge: from(['initiated', 'pending', 'unknown'], 'requires_action'),
    lose: { initiated: 'unknown' },
    void: { authorized: 'voided', succeeded: 'voided' },
    expire: { authorized: 'expired' },
    fail_later: { succeeded: 'failed' },
  }
  for (const state of states) {
    for (const event of Object.keys(moves) as TransactionEvent[]) {
      expect(nextState(TRANSACTION_STATES, state, event), `${event} of ${state}`).toBe(moves[event][state])
    }
  }
})

import { expect, test } from 'vitest'
import { nextState } from '#kernel/state-table'
import { PAYMENT_TOKEN_STATES, type PaymentTokenState } from './payment-token.states.ts'

test('only a pending token is decided about, only an active one lapses, and all but a deleted one can be removed', () => {
  const decided = { approve: undefined, refuse: undefined, lapse: undefined, remove: 'deleted' }
  const expected = {
    pending: { ...decided, approve: 'active', refuse: 'failed' },
    active: { ...decided, lapse: 'expired' },
    failed: decided,
    expired: decided,
    deleted: { ...decided, remove: undefined },
  }
  for (const state of Object.keys(PAYMENT_TOKEN_STATES) as PaymentTokenState[]) {
    for (const event of ['approve', 'refuse', 'lapse', 'remove'] as const) {
      expect([state, event, nextState(PAYMENT_TOKEN_STATES, state, event)]).toEqual([
        state,
        event,
        expected[state][event],
      ])
    }
  }
})

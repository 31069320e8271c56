import { expect, test } from 'vitest'
import { nextState } from '#kernel/state-table'
import { PAYMENT_TOKEN_STATES, type PaymentTokenState } from './payment-token.states.ts'

// Proves reference/customers#token-states.
test('only a pending token is approved or declined, only an active one expires, and all but a deleted one can be deleted', () => {
  const deletable = { approve: undefined, decline: undefined, expire: undefined, delete: 'deleted' }
  const expected = {
    pending: { ...deletable, approve: 'active', decline: 'failed' },
    active: { ...deletable, expire: 'expired' },
    failed: deletable,
    expired: deletable,
    deleted: { ...deletable, delete: undefined },
  }
  for (const state of Object.keys(PAYMENT_TOKEN_STATES) as PaymentTokenState[]) {
    for (const event of ['approve', 'decline', 'expire', 'delete'] as const) {
      expect([state, event, nextState(PAYMENT_TOKEN_STATES, state, event)]).toEqual([
        state,
        event,
        expected[state][event],
      ])
    }
  }
})

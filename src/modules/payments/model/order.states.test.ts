import { expect, test } from 'vitest'
import { nextState } from '#kernel/state-table'
import { ORDER_STATES, type OrderEvent, type OrderState } from './order.states.ts'

/** From which state each event leads to which. */
const MOVES: Record<OrderEvent, Partial<Record<OrderState, OrderState>>> = {
  complete: { open: 'completed' },
  shorten: { completed: 'open', refunded: 'open' },
  refund_all: { completed: 'refunded' },
  restore: { refunded: 'completed' },
  void: { open: 'voided', completed: 'voided' },
  expire: { open: 'expired' },
}

// Proves reference/orders#states.

test('an order moves only as the reference says, for every state and event', () => {
  for (const state of Object.keys(ORDER_STATES) as OrderState[]) {
    for (const event of Object.keys(MOVES) as OrderEvent[]) {
      expect(nextState(ORDER_STATES, state, event), `${event} of ${state}`).toBe(MOVES[event][state])
    }
  }
})

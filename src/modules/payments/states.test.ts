import { expect, test } from 'vitest'
import { nextState } from '#kernel/state-table'
import { ORDER_STATES } from './order.states.ts'
import type { OrderEvent, OrderState } from './order.states.ts'
import { isUnresolved, TRANSACTION_STATES } from './transaction.states.ts'
import type { TransactionEvent, TransactionState } from './transaction.states.ts'

const orderStates = Object.keys(ORDER_STATES) as OrderState[]
const transactionStates = Object.keys(TRANSACTION_STATES) as TransactionState[]
const ORDER_EVENTS: readonly OrderEvent[] = ['complete', 'shorten', 'refund_all', 'void', 'expire']
const TRANSACTION_EVENTS: readonly TransactionEvent[] = [
  'approve',
  'authorize',
  'decline',
  'wait',
  'challenge',
  'lose',
  'void',
  'expire',
]

/** Decisions, section 3, first point, said the other way round: from where each event leads where. */
const ORDER_MOVES: Record<OrderEvent, Partial<Record<OrderState, OrderState>>> = {
  complete: { open: 'completed' },
  shorten: { completed: 'open' },
  refund_all: { completed: 'refunded' },
  void: { open: 'voided', completed: 'voided' },
  expire: { open: 'expired' },
}

test('an order moves only as the decisions say, for every state and event', () => {
  for (const state of orderStates) {
    for (const event of ORDER_EVENTS) {
      expect(nextState(ORDER_STATES, state, event), `${event} of ${state}`).toBe(ORDER_MOVES[event][state])
    }
  }
})

test('a transaction moves only as its table says, for every state and event', () => {
  const open = ['initiated', 'pending', 'requires_action', 'unknown'] as const
  const from = (states: readonly TransactionState[], to: TransactionState) =>
    Object.fromEntries(states.map((state) => [state, to]))
  const moves: Record<TransactionEvent, Partial<Record<TransactionState, TransactionState>>> = {
    approve: from(open, 'succeeded'),
    authorize: from(open, 'authorized'),
    decline: from(open, 'failed'),
    wait: from(['initiated', 'requires_action', 'unknown'], 'pending'),
    challenge: from(['initiated', 'pending', 'unknown'], 'requires_action'),
    lose: { initiated: 'unknown' },
    void: { authorized: 'voided', succeeded: 'voided' },
    expire: { authorized: 'expired' },
  }
  for (const state of transactionStates) {
    for (const event of TRANSACTION_EVENTS) {
      expect(nextState(TRANSACTION_STATES, state, event), `${event} of ${state}`).toBe(moves[event][state])
    }
  }
})

test('nothing leads back into an open outcome, and the end is the end', () => {
  for (const state of transactionStates.filter((one) => !isUnresolved(one))) {
    const reached = TRANSACTION_EVENTS.map((event) => nextState(TRANSACTION_STATES, state, event))
    expect(reached.filter((next) => next !== undefined && isUnresolved(next))).toEqual([])
  }
  for (const state of ['failed', 'voided', 'expired'] as const) {
    expect(TRANSACTION_STATES[state]).toEqual({})
  }
  for (const state of ['refunded', 'voided', 'expired'] as const) expect(ORDER_STATES[state]).toEqual({})
})

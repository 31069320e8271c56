import type { StateTable } from '#kernel/state-table'

/** See reference/payments#states. `authorize` is the approval of an Authorization, `approve` that of any other type;
 * `fail_later`: the acquirer accepted the operation and later could not do it. */
export const TRANSACTION_STATES = {
  initiated: {
    approve: 'succeeded',
    authorize: 'authorized',
    decline: 'failed',
    wait: 'pending',
    challenge: 'requires_action',
    lose: 'unknown',
  },
  pending: { approve: 'succeeded', authorize: 'authorized', decline: 'failed', challenge: 'requires_action' },
  requires_action: { approve: 'succeeded', authorize: 'authorized', decline: 'failed', wait: 'pending' },
  authorized: { void: 'voided', expire: 'expired' },
  succeeded: { void: 'voided', fail_later: 'failed' },
  failed: {},
  voided: {},
  expired: {},
  unknown: {
    approve: 'succeeded',
    authorize: 'authorized',
    decline: 'failed',
    wait: 'pending',
    challenge: 'requires_action',
  },
} as const satisfies StateTable<TransactionEvent>

export type TransactionEvent =
  | 'approve'
  | 'authorize'
  | 'decline'
  | 'wait'
  | 'challenge'
  | 'lose'
  | 'void'
  | 'expire'
  | 'fail_later'
export type TransactionState = keyof typeof TRANSACTION_STATES

const UNRESOLVED_STATES = ['initiated', 'pending', 'requires_action', 'unknown'] as const

export function isUnresolved(state: TransactionState): boolean {
  return UNRESOLVED_STATES.some((unresolved) => unresolved === state)
}

export function isWaitingForPayer(state: TransactionState): boolean {
  return state === 'pending' || state === 'requires_action'
}

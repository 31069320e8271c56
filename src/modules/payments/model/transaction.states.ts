import type { StateTable } from '#kernel/state-table'

/**
 * The life of a transaction (decisions, section 3), "we don't know" included. An Authorization is approved into
 * `authorized`, everything else into `succeeded`.
 */
export const TRANSACTION_STATES = {
  initiated: {
    approve: 'succeeded',
    authorize: 'authorized',
    decline: 'failed',
    wait: 'pending',
    challenge: 'requires_action',
    lose: 'unknown',
  },
  // Under way at the acquirer without the payer.
  pending: { approve: 'succeeded', authorize: 'authorized', decline: 'failed', challenge: 'requires_action' },
  // The payer has something to do.
  requires_action: { approve: 'succeeded', authorize: 'authorized', decline: 'failed', wait: 'pending' },
  authorized: { void: 'voided', expire: 'expired' },
  succeeded: { void: 'voided' },
  failed: {},
  voided: {},
  expired: {},
  // The acquirer did not answer. Only the resolver leaves this state.
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
export type TransactionState = keyof typeof TRANSACTION_STATES

/** States whose outcome is still open. */
const UNRESOLVED_STATES = ['initiated', 'pending', 'requires_action', 'unknown'] as const

export function isUnresolved(state: TransactionState): boolean {
  return UNRESOLVED_STATES.some((unresolved) => unresolved === state)
}

/** Whether only the payer, or the wallet that has asked them, can bring it further. */
export function isWaitingForPayer(state: TransactionState): boolean {
  return state === 'pending' || state === 'requires_action'
}

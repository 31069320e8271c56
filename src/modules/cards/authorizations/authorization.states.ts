export const AUTHORIZATION_STATES = [
  'pending',
  'captured',
  'refunded',
  'reversed',
  'expired',
  'declined',
] as const
export type AuthorizationState = (typeof AUTHORIZATION_STATES)[number]

/**
 * What can still be done with an authorization in each state (decisions, sections 6 and 11). Where an operation leads
 * follows from the amounts: something held is `pending`; else something captured is `captured`, or `refunded` when all of
 * it was; else it is `reversed` or `expired`, whichever emptied it.
 */
export const OPERATIONS = {
  pending: ['capture', 'reverse', 'refund'],
  // Captured above the hold: merchants may add a tip, or deliver in parts, after all of the hold is used.
  captured: ['capture', 'refund'],
  refunded: ['capture'],
  // A capture that comes late is forced.
  expired: ['capture'],
  reversed: [],
  declined: [],
} as const satisfies Record<AuthorizationState, readonly ('capture' | 'reverse' | 'refund')[]>

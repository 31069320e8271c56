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
 * The operations that each state allows (reference/cards#authorizations). The next state follows from the amounts: `pending`
 * while something is held; else `captured`, or `refunded` once all that was captured is refunded; else `reversed` or
 * `expired`, whichever released the hold.
 */
export const OPERATIONS = {
  pending: ['capture', 'reverse', 'refund'],
  // Merchants add a tip, or deliver in parts, after the hold is used up. Such a capture is forced.
  captured: ['capture', 'refund'],
  refunded: ['capture'],
  expired: ['capture'],
  reversed: [],
  declined: [],
} as const satisfies Record<AuthorizationState, readonly ('capture' | 'reverse' | 'refund')[]>

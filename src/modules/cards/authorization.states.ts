/**
 * What can still be done with an authorization in each state (decisions, sections 6 and 11). Where an operation leads
 * follows from the amounts: something held is `pending`; else something captured is `captured`, or `refunded` when all of
 * it was; else it is `reversed` or `expired`, whichever emptied it.
 */
export const AUTHORIZATION_STATES = {
  pending: ['capture', 'reverse', 'refund', 'expire'],
  // Captured above the hold: merchants may add a tip, or deliver in parts, after all of the hold is used.
  captured: ['capture', 'reverse', 'refund'],
  refunded: ['capture', 'reverse', 'refund'],
  // A capture that comes late is forced.
  expired: ['capture', 'reverse', 'refund'],
  reversed: [],
  declined: [],
} as const satisfies Record<string, readonly string[]>

export type AuthorizationState = keyof typeof AUTHORIZATION_STATES

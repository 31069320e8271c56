import { expect, test } from 'vitest'
import { type Authorization, capture, refund, reverse } from './authorization.ts'
import { AUTHORIZATION_STATES, type AuthorizationState, OPERATIONS } from './authorization.states.ts'

const at = Temporal.Instant.from('2026-11-01T04:00:00Z')
const NOTHING = { heldMinor: 0n, capturedMinor: 0n, refundedMinor: 0n }
/** Amounts that an authorization of 10 can have in each state. */
const AMOUNTS: Record<AuthorizationState, typeof NOTHING> = {
  pending: { heldMinor: 5n, capturedMinor: 5n, refundedMinor: 0n },
  captured: { ...NOTHING, capturedMinor: 5n },
  refunded: { ...NOTHING, capturedMinor: 5n, refundedMinor: 5n },
  reversed: NOTHING,
  expired: NOTHING,
  declined: NOTHING,
}
const DECISIONS = { capture, reverse, refund }

// Proves reference/cards#authorizations.
test.each(AUTHORIZATION_STATES)('a %s authorization allows exactly the operations of the table', (state) => {
  const authorization: Authorization = {
    uuid: 'auth_1',
    cardId: 'crd_1',
    referenceId: 'ref_1',
    state,
    declineReason: null,
    currency: 'HKD',
    amountMinor: 10n,
    forcedMinor: 0n,
    ...AMOUNTS[state],
    merchant: { name: 'Tea house', mcc: '5812', country: 'HK' },
    createdAt: at,
    expiresAt: at,
    pendingHook: null,
    idempotencyId: null,
  }
  const possible = Object.entries(DECISIONS).filter(([, decide]) => !('refused' in decide(authorization, 1n)))
  expect(possible.map(([operation]) => operation)).toEqual(OPERATIONS[state])
})

/**
 * The life of a payment token (decisions, section 4). `expired` is not stored: it is what an active token is after the
 * end of its card's last month.
 */
export const PAYMENT_TOKEN_STATES = {
  pending: { approve: 'active', refuse: 'failed', remove: 'deleted' },
  active: { lapse: 'expired', remove: 'deleted' },
  failed: { remove: 'deleted' },
  expired: { remove: 'deleted' },
  deleted: {},
} as const satisfies Record<string, Readonly<Partial<Record<PaymentTokenEvent, string>>>>

export type PaymentTokenEvent = 'approve' | 'refuse' | 'lapse' | 'remove'
export type PaymentTokenState = keyof typeof PAYMENT_TOKEN_STATES
export type StoredPaymentTokenState = Exclude<PaymentTokenState, 'expired'>

/** The state after `event`; undefined when the token cannot have it. */
export function nextPaymentTokenState(
  state: PaymentTokenState,
  event: PaymentTokenEvent,
): PaymentTokenState | undefined {
  const events: Readonly<Partial<Record<PaymentTokenEvent, PaymentTokenState>>> = PAYMENT_TOKEN_STATES[state]
  return events[event]
}

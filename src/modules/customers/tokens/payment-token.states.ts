import type { StateTable } from '#kernel/state-table'

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
} as const satisfies StateTable<PaymentTokenEvent>

export type PaymentTokenEvent = 'approve' | 'refuse' | 'lapse' | 'remove'
export type PaymentTokenState = keyof typeof PAYMENT_TOKEN_STATES
export type StoredPaymentTokenState = Exclude<PaymentTokenState, 'expired'>

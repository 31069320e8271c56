import type { StateTable } from '#kernel/state-table'

/**
 * The states of a payment token (reference/customers#token-states). `expired` is never stored: an active token is expired
 * once its card's last month has ended.
 */
export const PAYMENT_TOKEN_STATES = {
  pending: { approve: 'active', decline: 'failed', delete: 'deleted' },
  active: { expire: 'expired', delete: 'deleted' },
  failed: { delete: 'deleted' },
  expired: { delete: 'deleted' },
  deleted: {},
} as const satisfies StateTable<PaymentTokenEvent>

export type PaymentTokenEvent = 'approve' | 'decline' | 'expire' | 'delete'
export type PaymentTokenState = keyof typeof PAYMENT_TOKEN_STATES
export type StoredPaymentTokenState = Exclude<PaymentTokenState, 'expired'>

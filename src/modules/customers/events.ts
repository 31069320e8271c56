/** What is told of payment tokens (decisions, section 8). */
export const CUSTOMER_EVENTS = ['payment_token.active', 'payment_token.failed'] as const
export type CustomerEvent = (typeof CUSTOMER_EVENTS)[number]

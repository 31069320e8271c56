import { ErasedEventData, TokenEventData } from './api/schemas.ts'

/** The events of customers and payment tokens with the schema of their `data` (reference/events#types). */
export const CUSTOMER_EVENTS = {
  'customer.erased': ErasedEventData,
  'payment_token.active': TokenEventData,
  'payment_token.failed': TokenEventData,
} as const
export type CustomerEvent = keyof typeof CUSTOMER_EVENTS

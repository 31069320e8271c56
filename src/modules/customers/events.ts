import { TokenData } from './api/schemas.ts'

/** What is told of payment tokens (decisions, section 8), with the shape of `data`. */
export const CUSTOMER_EVENTS = {
  'payment_token.active': TokenData,
  'payment_token.failed': TokenData,
} as const
export type CustomerEvent = keyof typeof CUSTOMER_EVENTS

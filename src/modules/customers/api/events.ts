import type { CustomerEvent } from '../customer-event.ts'
import { ErasedEventData, TokenEventData } from './schemas.ts'

export const CUSTOMER_EVENTS = {
  'customer.erased': ErasedEventData,
  'payment_token.active': TokenEventData,
  'payment_token.failed': TokenEventData,
  'payment_token.expiring': TokenEventData,
  'payment_token.deleted': TokenEventData,
} as const satisfies Record<CustomerEvent, object>

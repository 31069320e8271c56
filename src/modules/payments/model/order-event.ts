import type { Instant } from '#kernel/clock'
import type { EventCause } from '#platform/events/events'

export type PaymentEvent =
  | `order.${'created' | 'updated' | 'paid' | 'voided' | 'expired' | 'refunded'}`
  | `transaction.${'succeeded' | 'failed' | 'pending' | 'voided' | 'resolved'}`

export interface RecordedEvent {
  readonly type: PaymentEvent
  readonly at: Instant
  readonly transactionId: string | null
  readonly cause: EventCause | undefined
}

import type { Caller } from '#platform/caller'
import type { EventCause } from '#platform/events/events'
import type { InitiatedOperation } from '../model/operation.ts'
import type { PaymentResult } from '../model/payment-result.ts'
import type { FollowUpRequest } from '../model/order-requests.ts'

export interface FollowUp {
  readonly kind: 'capture' | 'refund' | 'void'
  readonly caller: Caller
  readonly cause: EventCause
  readonly request: FollowUpRequest
}

export type Initiated =
  | { readonly kind: 'replied'; readonly result: PaymentResult }
  | ({ readonly kind: 'initiated' | 'resumed' } & InitiatedOperation)

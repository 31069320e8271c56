import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { DisputeState } from '#modules/acquirers'

export const DISPUTE_STATES = [
  'inquiry_needs_response',
  'inquiry_under_review',
  'inquiry_closed',
  'needs_response',
  'under_review',
  'won',
  'lost',
] as const satisfies readonly DisputeState[]

export type DisputeEvent =
  `dispute.${'opened' | 'updated' | 'won' | 'lost' | 'closed' | 'evidence_submitted'}`

/** All times are on the real clock. */
export interface Dispute {
  readonly id: string
  readonly accountId: string
  readonly reference: string
  readonly paymentReference: string
  readonly transaction: DisputedTransaction | null
  readonly amount: Money
  readonly reason: string
  readonly state: DisputeState
  readonly respondBy: Instant | null
  readonly submittedAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** In these states the acquirer holds the money: it took it, and has not given it back. */
export const HOLDING_STATES = [
  'needs_response',
  'under_review',
  'lost',
] as const satisfies readonly DisputeState[]

export interface DisputedTransaction {
  readonly id: string
  readonly orderNumber: string
}

export function isAwaitingResponse(state: DisputeState): boolean {
  return state === 'needs_response' || state === 'inquiry_needs_response'
}

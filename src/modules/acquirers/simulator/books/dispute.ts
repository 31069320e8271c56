import { Refusal } from '../server/refusal.ts'

/** How long a business may answer, as at Stripe. */
const RESPONSE_MS = 7 * 24 * 60 * 60 * 1000
const REFERENCE_START = 'dp_'

export type DisputeState = 'needs_response' | 'under_review' | 'won' | 'lost'

/**
 * Disputes are on the real clock, as everything that acquirers do by themselves.
 * - `submission`: The key under which the evidence was handed in.
 */
export interface Dispute {
  readonly tenant: string | null
  readonly reason: string
  readonly openedAtMs: number
  readonly respondByMs: number
  state: DisputeState
  submission: string | null
}

export interface DisputeEntry {
  readonly tenant: string | null
  readonly reason: string
  readonly state: DisputeState
  readonly opened_ms: number
}

export interface EvidenceGiven {
  readonly key: string
  readonly texts: Readonly<Record<string, string>>
}

export function disputeOf({ tenant, reason, state, opened_ms: openedAtMs }: DisputeEntry): Dispute {
  return { tenant, reason, state, openedAtMs, respondByMs: openedAtMs + RESPONSE_MS, submission: null }
}

/** A payment is disputed once, so that its key names the dispute. */
export function disputeReference(paymentKey: string): string {
  return REFERENCE_START + paymentKey
}

export function disputedKey(reference: string): string | null {
  return reference.startsWith(REFERENCE_START) ? reference.slice(REFERENCE_START.length) : null
}

export function stateAt({ state, respondByMs }: Dispute, nowMs: number): DisputeState {
  return state === 'needs_response' && nowMs > respondByMs ? 'lost' : state
}

/** The bank's decision on evidence. The words are those of Stripe's test mode; a person reads all other evidence. */
export function decideEvidence(dispute: Dispute, { texts }: EvidenceGiven, nowMs: number): DisputeState {
  if (stateAt(dispute, nowMs) !== 'needs_response') {
    throw new Refusal(409, 'dispute_closed', 'The dispute does not wait for evidence.')
  }
  const { uncategorized_text: text = '' } = texts
  if (text.includes('winning_evidence')) return 'won'
  return text.includes('losing_evidence') ? 'lost' : 'under_review'
}

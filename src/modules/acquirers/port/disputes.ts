import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'

/** Replies to requests that may be repeated freely. `refused` is a 4xx, whose message is safe to show to the business. */
export type Reply<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unavailable'; readonly message: string }

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

/** Our states of a dispute. `inquiry…` precede a chargeback and move no money (Stripe's `warning_…`). */
export type DisputeState =
  | 'inquiry_needs_response'
  | 'inquiry_under_review'
  | 'inquiry_closed'
  | 'needs_response'
  | 'under_review'
  | 'won'
  | 'lost'

export interface DisputeRecord {
  readonly reference: string
  readonly paymentReference: string
  readonly amount: Money
  readonly reason: string
  readonly state: DisputeState
  readonly respondBy: Instant | null
  readonly openedAt: Instant
  readonly isSubmitted: boolean
}

export interface EvidenceFile {
  readonly name: string
  readonly contentType: string
  readonly content: Buffer
}

export interface Evidence {
  readonly texts: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, EvidenceFile>>
}

/**
 * - `list`: Newest first.
 * - `evidenceTexts`, `evidenceFiles`: Names in the API, such as `uncategorized_text`, that the acquirer accepts.
 * - `submit`: Hands in all evidence, once and for good. Repeating it under the same key is safe.
 */
export interface Disputes {
  get(reference: string): Promise<Reply<DisputeRecord>>
  list(query: {
    readonly openedAfter: Instant
    readonly cursor: string | null
  }): Promise<Reply<Page<DisputeRecord>>>
  readonly evidenceTexts: ReadonlySet<string>
  readonly evidenceFiles: ReadonlySet<string>
  submit(reference: string, evidence: Evidence, key: string): Promise<Reply<DisputeRecord>>
}

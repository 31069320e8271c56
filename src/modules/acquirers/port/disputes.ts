import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'

/** Answers of read requests and of requests that may be repeated freely. */
export type Reply<Value> =
  | { readonly kind: 'ok'; readonly value: Value }
  | { readonly kind: 'absent' }
  /** The acquirer refused with a 4xx; `message` is safe to show to the business. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'unavailable'; readonly message: string }

export interface Page<Item> {
  readonly items: readonly Item[]
  /** Passed to the next call; null on the last page. */
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
  /** The acquirer's id. */
  readonly reference: string
  /** The `gatewayTransactionId` of the disputed payment. */
  readonly paymentReference: string
  readonly amount: Money
  /** A stable snake_case word, such as `fraudulent`. */
  readonly reason: string
  readonly state: DisputeState
  readonly respondBy: Instant | null
  readonly openedAt: Instant
  /** True once evidence has been submitted; it can be submitted only once. */
  readonly isSubmitted: boolean
}

export interface EvidenceFile {
  readonly name: string
  readonly contentType: string
  readonly content: Buffer
}

export interface Evidence {
  /** Texts by the names of the API, such as `uncategorized_text`. */
  readonly texts: Readonly<Record<string, string>>
  readonly files: Readonly<Record<string, EvidenceFile>>
}

export interface Disputes {
  get(reference: string): Promise<Reply<DisputeRecord>>
  /** Newest first. */
  list(query: {
    readonly openedAfter: Instant
    readonly cursor: string | null
  }): Promise<Reply<Page<DisputeRecord>>>
  /** Names of texts and files that the acquirer takes. */
  readonly evidenceTexts: ReadonlySet<string>
  readonly evidenceFiles: ReadonlySet<string>
  /** Hands in all evidence, once and for good. Repeating it under the same key is safe. */
  submit(reference: string, evidence: Evidence, key: string): Promise<Reply<DisputeRecord>>
}

import type { Instant } from '#kernel/clock'

/**
 * A signed message of the acquirer. What it says is never believed where the acquirer can be asked: the object that it
 * names is read again by id, so repeated, late and reordered notices do no harm (reference/acquirers#notices).
 * - `id`: The acquirer's id of the message. Repeated messages carry the same one.
 * - `type`: The acquirer's own type, such as `payment_intent.succeeded`.
 * - `facts`: Facts of an acquirer that answers no inquiry about the object (Adyen's payments). Empty otherwise. The
 *   values are never card data.
 */
export interface Notice {
  readonly id: string
  readonly type: string
  readonly subject: NoticeSubject
  readonly facts: Readonly<Record<string, string>>
}

/**
 * `reference` is the acquirer's id of the object, `key` our idempotency key if the notice carries it. A `hold` is a payment
 * that was authorized; if it has failed here, the hold is released. A `failure` says that the acquirer could not do what it
 * had accepted, an `expiry` that nothing more can be captured of an authorization, and a `release` that an authorization was
 * canceled there. The acquirer is asked whether a failure or a release is true, where it can be asked.
 */
export interface NoticeSubject {
  readonly kind:
    | 'payment'
    | 'hold'
    | 'failure'
    | 'expiry'
    | 'release'
    | 'verification'
    | 'instrument'
    | 'dispute'
    | 'report'
    | 'other'
  readonly reference: string
  readonly key: string | null
}

export interface NoticeRequest {
  readonly body: Buffer
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly receivedAt: Instant
}

/** A failure or release that a notice reported and the acquirer confirmed; `key` is that of the operation. */
export interface ConfirmedFailure extends ReportedFailure {
  readonly key: string
}

export interface ReportedFailure {
  readonly responseCode: string
  readonly responseMessage: string
}

/** Judges the notices about an operation that counted when the acquirer had accepted it; `reference` is the payment's. */
export type LaterFailure = (
  notices: readonly Notice[],
  operation: {
    readonly kind: 'sale' | 'capture' | 'refund'
    readonly key: string
    readonly reference: string
  },
) => ReportedFailure | null

export type NoticeReading =
  | { readonly ok: true; readonly notices: readonly Notice[] }
  | { readonly ok: false; readonly reason: 'invalid_signature' | 'invalid_body' }

export type ReadNotices = (request: NoticeRequest) => NoticeReading

/** Finds the verified notices of an account by our key or the acquirer's id, oldest first. */
export type FindNotices = (subject: {
  readonly key: string
  readonly reference: string | null
}) => Promise<readonly Notice[]>

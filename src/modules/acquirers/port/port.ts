import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'

/**
 * The one interface to acquirers, simulated or real. `payments` and `customers` know nothing else of them. No method
 * throws: transport failures are `unknown` (reference/acquirers#outcomes).
 */
export interface Acquirer {
  /** `simulator`, `stripe`, … */
  readonly name: string
  readonly merchantId: string
  readonly capabilities: Capabilities
  /** Authorizes and captures at once. */
  sale(request: ChargeRequest): Promise<VerifyOutcome>
  authorize(request: ChargeRequest): Promise<Outcome>
  capture(request: FollowUpRequest): Promise<Outcome>
  refund(request: FollowUpRequest): Promise<Outcome>
  void(request: FollowUpRequest): Promise<Outcome>
  /** Verifies an instrument for later payments without moving money. */
  verify(request: VerifyRequest): Promise<VerifyOutcome>
  /** Finds out what became of an operation. Never charges anew. The caller holds the operation's lease. */
  inquire(lookup: Lookup): Promise<Inquiry>
  /** Makes sure that nothing can be booked any more. Returns what was booked before, if anything. The caller holds the lease. */
  closeKey(lookup: Lookup): Promise<Inquiry>
}

export type OperationKind = 'sale' | 'authorization' | 'capture' | 'refund' | 'void'

export interface Capabilities {
  /**
   * The operations that `closeKey` closes for good, which makes "absent" final. Others are sent again under the same key, which
   * the acquirer must book at most once.
   */
  readonly closes: ReadonlySet<OperationKind | 'verification'>
  /** It commits its own id of an operation before money can move; without one, a charge can be sent again safely. */
  readonly commitsReferences: boolean
  /** Several captures of one authorization. Without it, the first capture releases the rest. */
  readonly multipleCaptures: boolean
  /** A captured payment can be voided until it settles. Without it, a payment settles at once and can only be refunded. */
  readonly voidsCaptured: boolean
}

interface KeyedRequest {
  /** Our idempotency key, under which the acquirer books at most once: the transaction's uuid; voids and verifications have their own. */
  readonly key: string
  /** Time on the business's clock. The simulator uses it instead of its own clock. */
  readonly at: Instant
  /**
   * Commits the acquirer's id of the operation before money can move. False means that somebody else has taken over the
   * operation: the adapter then sends nothing more and returns `unknown`. An acquirer whose `closeKey` works by our key
   * does not need it.
   */
  readonly commitReference: (reference: string) => Promise<boolean>
}

export interface ChargeRequest extends KeyedRequest {
  readonly amount: Money
  readonly instrument: Instrument
  /** False off session (recurring attempts), when nobody can answer a challenge at once. */
  readonly payerPresent: boolean
  /** Where the acquirer sends the payer back after a challenge. */
  readonly returnUrl?: string
  /** Shown to the merchant at the acquirer. */
  readonly orderNumber: string
  /** Stores the instrument with this payer if the payment is approved; the outcome then carries it. */
  readonly savePayer?: Payer
}

export interface FollowUpRequest extends KeyedRequest {
  /** Positive, also for a refund. */
  readonly amount: Money
  readonly originalKey: string
  /** The original's `gatewayTransactionId`. */
  readonly originalReference: string
}

export interface VerifyRequest extends KeyedRequest {
  readonly instrument: Instrument
  readonly returnUrl?: string
  readonly payer: Payer
}

export interface Payer {
  readonly customerUuid: string
  /** The payer's id at the acquirer, as an earlier verification returned it. */
  readonly reference: string | null
  readonly name: string
  readonly email: string
}

/** An operation whose outcome we want to know. */
export interface Lookup {
  readonly kind: OperationKind | 'verification'
  readonly key: string
  readonly at: Instant
  /** What `commitReference` stored; null when nothing was stored, and then nothing can be stored any more. */
  readonly reference: string | null
  /** The real time of the first call. */
  readonly sentAt: Instant
  /** Null for a verification. */
  readonly amount: Money | null
  /** The original's `gatewayTransactionId`, for follow-ups. */
  readonly originalReference: string | null
  /** What the payer was last asked to do. An acquirer that does not tell it again repeats it while the payer may still act. */
  readonly nextAction?: NextAction
  /** The query members that the acquirer added when it sent the payer back to us. */
  readonly returned: Readonly<Record<string, string>>
}

export type Instrument =
  | {
      readonly type: 'card'
      readonly number: string
      readonly expMonth: number
      readonly expYear: number
      readonly holderName: string
      /** Present only while the payer is submitting it; never stored. */
      readonly cvc?: string
    }
  | {
      readonly type: 'wallet_a_pay' | 'wallet_b'
      /** True for a stored auto-debit agreement, which needs no confirmation by the payer. */
      readonly autoDebit: boolean
    }
  /** A payment method stored at the acquirer, such as Stripe's `pm_…` or Adyen's `storedPaymentMethodId`. */
  | { readonly type: 'acquirer_token'; readonly id: string; readonly payerReference: string | null }
  /** What the acquirer's component in the payer's browser collected, opaque to us and used once. Never stored. */
  | { readonly type: 'component'; readonly data: string }

export interface AcquirerRecord {
  /** The acquirer's transaction id, shown as `new_gateway_txn_id`. */
  readonly gatewayTransactionId: string
  /** Retrieval reference number. */
  readonly rrn: string
  readonly authCode: string
  /** Settlement batch, shown as `brn`. */
  readonly batchNumber: string
  readonly responseCode: string
  readonly responseMessage: string
}

export type Outcome =
  | ({ readonly kind: 'approved' } & AcquirerRecord)
  | ({
      readonly kind: 'declined'
      readonly hard: boolean
      /** Our word for what the acquirer's code means, such as `insufficient_funds`. */
      readonly reason?: string
    } & AcquirerRecord)
  /**
   * The payment is in progress at the acquirer. `nextAction` is set if the payer must act. An inquiry returns the final
   * outcome.
   */
  | ({ readonly kind: 'pending'; readonly nextAction?: NextAction } & AcquirerRecord)
  /** The acquirer rejected the request with a 4xx, or it was never sent. Nothing is booked. */
  | { readonly kind: 'refused'; readonly responseCode: string; readonly responseMessage: string }
  /** No response, a lost connection or a 5xx: only an inquiry can tell whether anything was booked. */
  | { readonly kind: 'unknown'; readonly responseMessage: string }

/** The `responseCode` of a refusal that never left our process, such as while the circuit breaker is open. */
export const NOT_SENT = 'not_sent'

export interface NextAction {
  readonly type: string
  readonly url: string
}

/** What the acquirer says of a verified instrument. */
export interface VerifiedInstrument {
  /** The id under which later payments charge it. */
  readonly id: string
  readonly payerReference: string | null
  /** `visa`, `mastercard`, …: our names of brands. */
  readonly brand: string | null
  readonly first6: string | null
  readonly last4: string | null
  readonly expMonth: number | null
  readonly expYear: number | null
  readonly holderName: string | null
  /** ISO 3166-1 alpha-2 country of the issuer. */
  readonly country: string | null
}

export type VerifyOutcome = Outcome & { readonly instrument?: VerifiedInstrument }

export type Inquiry =
  | Exclude<VerifyOutcome, { kind: 'refused' }>
  /** Nothing is booked under the key. Final only if `closed`. */
  | { readonly kind: 'absent'; readonly closed: boolean }

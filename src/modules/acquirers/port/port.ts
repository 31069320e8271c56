import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'

/** The one interface to acquirers, simulated or real. `payments` and `customers` know nothing else of them. */
export interface Acquirer {
  readonly name: string
  readonly merchantId: string
  /** True if `closeKey` can close a key for good, which makes "absent" final. */
  readonly canCloseKeys: boolean
  /** Authorizes and captures at once. */
  sale(request: ChargeRequest): Promise<Outcome>
  authorize(request: ChargeRequest): Promise<Outcome>
  capture(request: FollowUpRequest): Promise<Outcome>
  refund(request: FollowUpRequest): Promise<Outcome>
  void(request: FollowUpRequest): Promise<Outcome>
  verify(request: VerifyRequest): Promise<Outcome>
  /** Looks up our key. Never moves money. */
  inquire(key: string, at: Instant): Promise<Inquiry>
  /** Closes a key for good: nothing can be booked under it afterwards. Returns what was booked before, if anything. */
  closeKey(key: string, at: Instant): Promise<Inquiry>
}

interface KeyedRequest {
  /** Our idempotency key, under which the acquirer books at most once: the transaction's uuid; voids and verifications have their own. */
  readonly key: string
  /** Time on the business's clock. The simulator uses it instead of its own clock. */
  readonly at: Instant
}

export interface ChargeRequest extends KeyedRequest {
  readonly amount: Money
  readonly instrument: Instrument
  /** False off session (recurring attempts), when nobody can answer a challenge. */
  readonly payerPresent: boolean
  readonly returnUrl?: string
}

export interface FollowUpRequest extends KeyedRequest {
  readonly amount: Money
  readonly originalKey: string
}

export interface VerifyRequest extends KeyedRequest {
  readonly instrument: Instrument
  readonly returnUrl?: string
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
    } & AcquirerRecord)
  /**
   * The payment is in progress at the acquirer. `nextAction` is set if the payer must act. An inquiry returns the final
   * outcome.
   */
  | ({ readonly kind: 'pending'; readonly nextAction?: NextAction } & AcquirerRecord)
  /** The acquirer rejected the request with a 4xx. Nothing is booked. */
  | { readonly kind: 'refused'; readonly responseCode: string; readonly responseMessage: string }
  /** No response, a lost connection or a 5xx: only an inquiry can tell whether anything was booked. */
  | { readonly kind: 'unknown'; readonly responseMessage: string }

export interface NextAction {
  readonly type: string
  readonly url: string
}

export type Inquiry =
  | Exclude<Outcome, { kind: 'refused' }>
  /** Nothing is booked under the key. Final only if `closed`. */
  | { readonly kind: 'absent'; readonly closed: boolean }

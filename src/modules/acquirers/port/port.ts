import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'

/**
 * What Quittance asks of an acquirer, and what an acquirer may answer. One port for the simulator
 * and for real processors; `payments` and `customers` know nothing else of them.
 */
export interface Acquirer {
  /** Shown as `payment_data.acquirer_name`. */
  readonly name: string
  /** Shown as `payment_data.merchant_id`. */
  readonly merchantId: string
  /** True when `closeKey` can refuse a key for ever, so that "absent" can be made final. */
  readonly canCloseKeys: boolean
  /** Takes the money at once. */
  sale(request: ChargeRequest): Promise<Outcome>
  /** Reserves the money; `capture` takes it. */
  authorize(request: ChargeRequest): Promise<Outcome>
  capture(request: FollowUpRequest): Promise<Outcome>
  refund(request: FollowUpRequest): Promise<Outcome>
  /** Undoes an unsettled sale, authorization or capture as a whole. */
  void(request: FollowUpRequest): Promise<Outcome>
  /** Checks an instrument without moving money. */
  verify(request: VerifyRequest): Promise<Outcome>
  /** What the acquirer knows of our key. Never moves money. */
  inquire(key: string, at: Instant): Promise<Inquiry>
  /** Closes a key for ever: nothing can book under it any more. Answers what had been booked, if anything. */
  closeKey(key: string, at: Instant): Promise<Inquiry>
}

interface KeyedRequest {
  /** Our idempotency key: the same key never books twice. A transaction's uuid; a void or a verification has its own. */
  readonly key: string
  /** The business's clock. A test acquirer takes the time from here, not from its own clock. */
  readonly at: Instant
}

export interface ChargeRequest extends KeyedRequest {
  readonly amount: Money
  readonly instrument: Instrument
  /** False when no payer is there to answer a challenge (recurring attempts). */
  readonly payerPresent: boolean
  /** Where a payer comes back to after a step at the acquirer. */
  readonly returnUrl?: string
}

export interface FollowUpRequest extends KeyedRequest {
  readonly amount: Money
  /** The key of the transaction that is captured, refunded or voided. */
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
      /** Only at the moment the payer gave it; never stored. */
      readonly cvc?: string
    }
  | {
      readonly type: 'wallet_a_pay' | 'wallet_b'
      /** True for a stored auto-debit agreement, which needs no payer. */
      readonly autoDebit: boolean
    }

/** What the acquirer says of a booking, approved or declined. */
export interface AcquirerRecord {
  /** The acquirer's own transaction id: `new_gateway_txn_id`. */
  readonly gatewayTransactionId: string
  /** Retrieval reference number. */
  readonly rrn: string
  readonly authCode: string
  /** The settlement batch: `brn`. */
  readonly batchNumber: string
  /** The stable word, such as `approved` or `insufficient_funds`. */
  readonly responseCode: string
  readonly responseMessage: string
}

export type Outcome =
  | ({ readonly kind: 'approved' } & AcquirerRecord)
  | ({
      readonly kind: 'declined'
      /** True when the same instrument must not be tried again (lost, stolen, closed, not permitted). */
      readonly hard: boolean
    } & AcquirerRecord)
  /** Under way at the acquirer; `nextAction` when the payer has something to do. The inquiry tells the end of it. */
  | ({ readonly kind: 'pending'; readonly nextAction?: NextAction } & AcquirerRecord)
  /** The acquirer explicitly refused to run the request (its 4xx). Nothing is booked. */
  | { readonly kind: 'refused'; readonly responseCode: string; readonly responseMessage: string }
  /** No answer, a cut connection or a 5xx: it may be booked or not. Only an inquiry tells. */
  | { readonly kind: 'unknown'; readonly responseMessage: string }

export interface NextAction {
  /** `three_d_secure` or `wallet_confirmation`. */
  readonly type: string
  /** Where the payer goes. */
  readonly url: string
}

export type Inquiry =
  | Exclude<Outcome, { kind: 'refused' }>
  /** Nothing is booked under the key. Final only when `closed`. */
  | { readonly kind: 'absent'; readonly closed: boolean }

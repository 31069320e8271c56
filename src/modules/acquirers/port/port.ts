import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { ListBookings } from './bookings.ts'
import type { Reply } from './disputes.ts'

/**
 * The one interface to acquirers, simulated or real. `payments` and `customers` know nothing else of them. No method
 * throws: transport failures are `unknown` (reference/acquirers#outcomes).
 * - `name`: `simulator`, `stripe`, …
 * - `sale`: Authorizes and captures at once.
 * - `verify`: Verifies an instrument for later payments without moving money.
 * - `inquire`: Finds out what became of an operation. Never charges anew. The caller holds the operation's lease.
 *   `absent` means that nothing is booked under the key; it is final only if `closed`.
 * - `closeKey`: Makes sure that nothing can be booked any more. Returns what was booked before, if anything. The
 *   caller holds the lease.
 * - `bookings`: Lists what it booked for us in a period, for a database that lost its memory of it. Undefined where the
 *   acquirer lists nothing.
 * - `agreements`: The payers' agreements to be charged by a wallet. Undefined where an agreement is nothing that the payer
 *   can end at the acquirer.
 * - `keysKeptHours`: How long the request of a charge, sent again under its key, gets the first reply. Undefined where
 *   an inquiry finds out more.
 */
export interface Acquirer {
  readonly name: string
  readonly merchantId: string
  readonly capabilities: Capabilities
  sale(request: ChargeRequest): Promise<VerifyOutcome>
  authorize(request: ChargeRequest): Promise<Outcome>
  capture(request: FollowUpRequest): Promise<Outcome>
  refund(request: FollowUpRequest): Promise<Outcome>
  void(request: FollowUpRequest): Promise<Outcome>
  verify(request: VerifyRequest): Promise<VerifyOutcome>
  inquire(lookup: Lookup): Promise<Inquiry>
  closeKey(lookup: Lookup): Promise<Inquiry>
  readonly bookings?: ListBookings | undefined
  readonly agreements?: Agreements | undefined
  readonly keysKeptHours?: number | undefined
}

/**
 * - `read`: Whether the payer or the acquirer has ended the agreement.
 * - `end`: Ends it, once and for good. Repeating it under the same key is safe.
 */
interface Agreements {
  read(id: string): Promise<Reply<'active' | 'ended'>>
  end(id: string, key: string): Promise<Reply<'ended'>>
}

export type OperationKind = 'sale' | 'authorization' | 'capture' | 'refund' | 'void'

/**
 * - `closes`: The operations that `closeKey` closes for good, which makes "absent" final. Others are sent again under
 *   the same key, which the acquirer must book at most once.
 * - `commitsReferences`: It commits its own id of an operation before money can move; without one, a charge can be
 *   sent again safely.
 * - `multipleCaptures`: Several captures of one authorization. Without it, the first capture releases the rest.
 * - `voidsCaptured`: A captured payment can be voided until it settles. Without it, a payment settles at once and can
 *   only be refunded.
 * - `needsSecurityCode`: A card number is charged with the payer present only with its security code, which is never
 *   stored.
 */
export interface Capabilities {
  readonly closes: ReadonlySet<OperationKind | 'verification'>
  readonly commitsReferences: boolean
  readonly multipleCaptures: boolean
  readonly voidsCaptured: boolean
  readonly needsSecurityCode: boolean
}

/**
 * - `key`: Our idempotency key, under which the acquirer books at most once: the transaction's uuid; voids and
 *   verifications have their own.
 * - `at`: Time on the business's clock. The simulator uses it instead of its own clock.
 * - `commitReference`: Commits the acquirer's id of the operation before money can move. False means that somebody
 *   else has taken over the operation: the adapter then sends nothing more and returns `unknown`. An acquirer whose
 *   `closeKey` works by our key does not need it.
 */
interface KeyedRequest {
  readonly key: string
  readonly at: Instant
  readonly commitReference: (reference: string) => Promise<boolean>
}

/**
 * - `payerPresent`: False off session (recurring attempts), when nobody can answer a challenge at once.
 * - `returnUrl`: Where the acquirer sends the payer back after a challenge.
 * - `orderNumber`: Shown to the merchant at the acquirer.
 * - `savePayer`: Stores the instrument with this payer if the payment is approved; the outcome then carries it. The payer's
 *   `reference` is the acquirer's id of the payer, from an earlier verification.
 */
export interface ChargeRequest extends KeyedRequest {
  readonly amount: Money
  readonly instrument: Instrument
  readonly payerPresent: boolean
  readonly returnUrl?: string
  readonly orderNumber: string
  readonly savePayer?: Payer
}

/**
 * - `amount`: Positive, also for a refund.
 * - `originalReference`: The original's `gatewayTransactionId`.
 */
export interface FollowUpRequest extends KeyedRequest {
  readonly amount: Money
  readonly originalKey: string
  readonly originalReference: string
}

export interface VerifyRequest extends KeyedRequest {
  readonly instrument: Instrument
  readonly returnUrl?: string
  readonly payer: Payer
}

export interface Payer {
  readonly customerUuid: string
  readonly reference: string | null
  readonly name: string
  readonly email: string
}

/**
 * An operation whose outcome we want to know.
 * - `reference`: What `commitReference` stored; null when nothing was stored, and then nothing can be stored any more.
 * - `sentAt`: The real time of the first call.
 * - `amount`: Null for a verification.
 * - `originalReference`: The original's `gatewayTransactionId`, for follow-ups.
 * - `nextAction`: What the payer was last asked to do. If the acquirer does not return it again, the adapter repeats
 *   it while the payer may still act.
 * - `returned`: The query members that the acquirer added when it sent the payer back to us.
 * - `commitReference`: Replaces `reference` before the inquiry moves money, with the same meaning as for a request.
 */
export interface Lookup {
  readonly kind: OperationKind | 'verification'
  readonly key: string
  readonly at: Instant
  readonly reference: string | null
  readonly sentAt: Instant
  readonly amount: Money | null
  readonly originalReference: string | null
  readonly nextAction?: NextAction
  readonly returned: Readonly<Record<string, string>>
  readonly commitReference: (reference: string) => Promise<boolean>
}

export type WalletMethod = 'wallet_a_pay' | 'wallet_b' | 'fps'
export type PayerDevice = 'desktop' | 'ios' | 'android'

/**
 * - `cvc`: Present only while the payer submits the card; never stored.
 * - `autoDebit`: True for an agreement to be charged later. A verification makes it; a charge of a stored one need not be
 *   confirmed.
 * - `device`: What the payer pays with; a desktop shows a code. Default `desktop`.
 * - `acquirer_token`: A payment method stored at the acquirer, such as Stripe's `pm_…` or Adyen's `storedPaymentMethodId`.
 * - `component`: What the acquirer's component in the payer's browser collected. Opaque, used once and never stored.
 *   Empty where the component itself confirms the payment (`BrowserComponent.confirmsInBrowser`).
 */
export type Instrument =
  | {
      readonly type: 'card'
      readonly number: string
      readonly expMonth: number
      readonly expYear: number
      readonly holderName: string
      readonly cvc?: string
    }
  | {
      readonly type: WalletMethod
      readonly autoDebit: boolean
      readonly device?: PayerDevice
    }
  | { readonly type: 'acquirer_token'; readonly id: string; readonly payerReference: string | null }
  | { readonly type: 'component'; readonly data: string }

export interface AcquirerRecord {
  readonly gatewayTransactionId: string
  readonly rrn: string
  readonly authCode: string
  readonly batchNumber: string
  readonly responseCode: string
  readonly responseMessage: string
}

/**
 * - `approved`: `captured` is set where the acquirer captured less than we asked for.
 * - `declined`: `reason` is our word for the acquirer's code, such as `insufficient_funds`.
 * - `pending`: The payment is in progress. `nextAction` is set if the payer must act. An inquiry returns the final outcome.
 * - `refused`: The acquirer replied with a 4xx, or the request was never sent. Nothing is booked.
 * - `unknown`: No response, a lost connection or a 5xx. Only an inquiry finds out whether anything is booked.
 */
export const EMPTY_RECORD: AcquirerRecord = {
  gatewayTransactionId: '',
  rrn: '',
  authCode: '',
  batchNumber: '',
  responseCode: '',
  responseMessage: '',
}

export type Outcome =
  | ({ readonly kind: 'approved'; readonly captured?: Money } & AcquirerRecord)
  | ({
      readonly kind: 'declined'
      readonly hard: boolean
      readonly reason?: string
    } & AcquirerRecord)
  | ({ readonly kind: 'pending'; readonly nextAction?: NextAction } & AcquirerRecord)
  | { readonly kind: 'refused'; readonly responseCode: string; readonly responseMessage: string }
  | { readonly kind: 'unknown'; readonly responseMessage: string }

export const NOT_SENT = 'not_sent'

/**
 * What the payer must do.
 * - `type`: `three_d_secure`, `wallet_confirmation`, `bank_confirmation`, or `component_confirmation` for a payment that
 *   waits for the acquirer's component on our page.
 * - `url`: Where the payer goes. Empty if the acquirer gives only a code, or none.
 * - `form`: Members to send to `url` by POST. Without it the payer goes there by GET.
 * - `qrCode`: The text of a code to draw.
 * - `expiresAt`: RFC 3339; undefined where the acquirer does not say it.
 */
export interface NextAction {
  readonly type: string
  readonly url: string
  readonly form?: Readonly<Record<string, string>>
  readonly qrCode?: string
  readonly expiresAt?: string
}

export type WalletName = 'wechat_pay' | 'alipay' | 'alipay_hk'

/** `wallet`: Of an agreement, whose card members are null. `account` is the payer's account there, masked. */
export interface VerifiedInstrument {
  readonly id: string
  readonly payerReference: string | null
  readonly brand: string | null
  readonly first6: string | null
  readonly last4: string | null
  readonly expMonth: number | null
  readonly expYear: number | null
  readonly holderName: string | null
  readonly country: string | null
  readonly wallet?: { readonly name: WalletName; readonly account: string | null }
}

export type VerifyOutcome = Outcome & { readonly instrument?: VerifiedInstrument }

export type Inquiry =
  | Exclude<VerifyOutcome, { kind: 'refused' }>
  | { readonly kind: 'absent'; readonly closed: boolean }

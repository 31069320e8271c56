import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Instrument, Outcome } from '#modules/acquirers'
import type { PaymentToken } from '#modules/customers'
import type { Environment } from '#platform/caller'
import type { IdempotencyId } from '#platform/idempotency/idempotency'
import type { Operation } from '../model/operation.ts'
import type { Order } from '../model/order.ts'
import type { ShownInstrument, Transaction } from '../model/transaction.ts'

/** Whose answer the outcome of an operation is; it is kept by whoever records the outcome. */
export interface Reply {
  readonly idempotencyId: IdempotencyId
  readonly requestId: string
}

/** A card or wallet that the payer gave just now, on a page of ours. */
export interface DirectInstrument {
  readonly instrument: Instrument
  readonly shown: ShownInstrument
}

/** A charge, to be begun. */
export interface NewCharge {
  readonly orderId: string
  readonly type: 'Sales' | 'Authorization'
  /** Left out: all that is left. */
  readonly amount?: Money | undefined
  /** A stored token, or else `direct`. */
  readonly token: PaymentToken | null
  readonly direct?: DirectInstrument
  /** False when no payer is there to answer a challenge (recurring attempts). */
  readonly payerPresent: boolean
  readonly referenceId?: string | null
  readonly note?: string | null
  /** The request whose answer the outcome is. */
  readonly reply?: Reply
  /** The business's time. */
  readonly at: Instant
}

/** A charge that is reserved and written as `initiated`, to be sent to the acquirer. */
export interface Charge {
  readonly businessId: string
  readonly environment: Environment
  readonly transaction: Transaction
  readonly token: PaymentToken | null
  readonly direct: DirectInstrument | null
  readonly payerPresent: boolean
  readonly returnUrl: string | null
  readonly at: Instant
  readonly begun: BegunState
}

/** What a charge left behind as it began: whoever records its outcome need not read again what nobody has changed. */
interface BegunState {
  /** With the amount reserved. */
  readonly order: Order
  readonly operation: Operation
  /** The database transaction that wrote them last, as `xmin` of their rows tells it. */
  readonly writer: string
}

/** Why a charge was not begun. Nothing was written for it. */
export type ChargeRefusal =
  | 'order_not_found'
  | 'order_not_payable'
  | 'amount_too_large'
  | 'payment_in_progress'

interface RefusedCharge {
  readonly ok: false
  readonly reason: ChargeRefusal
  readonly orderId: string
}

export type InitiatedCharge = { readonly ok: true; readonly charge: Charge } | RefusedCharge

/** What became of a charge, to be recorded. `at`: the business's time of it. */
export interface ChargeOutcome {
  readonly charge: Charge
  readonly outcome: Outcome
  readonly at: Instant
}

/** The charge's transaction and order as they are after the outcome, whoever recorded it. */
export interface RecordedCharge {
  readonly order: Order
  readonly transaction: Transaction
  /** All of the order. */
  readonly transactions: readonly Transaction[]
}

/** A charge of all that is unpaid that fails without a call to the acquirer, such as `no_payment_token`. */
export interface FailedCharge {
  readonly orderId: string
  readonly responseCode: string
  readonly message: string
  readonly token?: PaymentToken | null
  readonly at: Instant
}

export type RecordedFailure = { readonly ok: true; readonly failed: RecordedCharge } | RefusedCharge

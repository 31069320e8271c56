import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import type { Instrument, Payer } from '#modules/acquirers'
import type { PaymentToken } from '#modules/customers'
import type { InitiatedOperation, KeepAs, PendingReply } from './operation.ts'
import type { ShownInstrument } from './transaction.ts'

/** - `keepAs`: Set if a component confirms the payment itself: then only an inquiry returns the card that `savePayer` keeps. */
export interface DirectInstrument {
  readonly instrument: Instrument
  readonly shown: ShownInstrument
  readonly accountId: string | null
  readonly savePayer?: Payer
  readonly keepAs?: KeepAs
}

export interface NewCharge {
  readonly orderId: string
  readonly type: 'Sales' | 'Authorization'
  readonly amount?: Money | undefined
  readonly token: PaymentToken | null
  readonly direct?: DirectInstrument
  readonly payerPresent: boolean
  readonly referenceId?: string | null
  readonly note?: string | null
  readonly reply?: PendingReply
  readonly at: Instant
}

export interface Charge extends InitiatedOperation {
  readonly businessId: string
  readonly token: PaymentToken | null
  readonly direct: DirectInstrument | null
  readonly returnUrl: string | null
}

export type ChargeRefusal =
  | 'order_not_found'
  | 'order_not_payable'
  | 'amount_too_large'
  | 'payment_in_progress'
  | 'no_account_for_payment'

export interface RefusedCharge extends Refused<ChargeRefusal> {
  readonly orderId: string
}

export interface FailedCharge {
  readonly orderId: string
  readonly responseCode: string
  readonly message: string
  readonly token?: PaymentToken | null
  readonly at: Instant
}

import type { Instant } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import type { Money } from '#kernel/money'
import type { TransactionState } from './transaction.states.ts'

export type TransactionType = 'Sales' | 'Authorization' | 'Refund' | 'Capture'
export type PaymentMethodName = 'payment_token' | 'credit_card' | 'wallet_a_pay' | 'wallet_b'

/** The instrument as it may be shown: never more of a card number than its ends. */
export interface ShownInstrument {
  readonly acquirerType: 'card' | 'wallet'
  readonly brand: string | null
  readonly first6: string | null
  readonly last4: string | null
  readonly numberLength: number | null
  readonly holderName: string | null
  readonly expMonth: number | null
  readonly expYear: number | null
}

/** A movement of money, tried or done. Changed only while its order is locked. */
export interface Transaction {
  readonly id: string
  readonly orderId: string
  readonly type: TransactionType
  readonly state: TransactionState
  readonly currency: Currency
  /** Negative for a Refund. */
  readonly amount: Money
  /** The caller's own id. */
  readonly referenceId: string | null
  /** Of a Capture the authorization, of a Refund the Sales or Capture. */
  readonly originalId: string | null
  readonly originalReferenceId: string | null
  readonly paymentMethod: PaymentMethodName
  readonly token: string | null
  readonly instrument: ShownInstrument
  readonly note: string | null
  /** Of an Authorization what was captured, of Sales and Capture what was refunded; never negative. */
  readonly usedTotal: Money
  /** As `usedTotal`, of captures and refunds whose outcome is open. */
  readonly usedReserved: Money
  /** The key of the void that is under way, or was done. */
  readonly voidKey: string | null
  readonly voidPending: boolean
  readonly acquirerName: string
  readonly merchantId: string
  readonly gatewayTransactionId: string
  readonly rrn: string
  readonly authCode: string
  readonly batchNumber: string
  readonly responseCode: string
  readonly responseMessage: string
  /** True when the same instrument must not be tried again. */
  readonly hardDecline: boolean
  readonly nextAction: { readonly type: string; readonly url: string } | null
  /** Our number of it. */
  readonly receiptNumber: bigint
  /** When it succeeded. */
  readonly succeededAt: Instant | null
  /** The business's next cut-off after it succeeded; null for what never settles. */
  readonly settlesAt: Instant | null
  /** When what is left of an authorization lapses; null when nothing is left or it is none. */
  readonly expiresAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

import type { Instant } from '#kernel/clock'
import type { TimeZone } from '#kernel/time-zone'
import type { TransferDetails } from '#modules/invoices'
import type { Order, Transaction } from '#modules/payments'
import type { Environment } from '#platform/caller'
import type { Brand } from './brand.ts'
import type { CheckoutState } from './checkout-state.ts'

export interface PaymentView {
  readonly businessId: string
  readonly businessName: string
  readonly brand: Brand
  readonly environment: Environment
  readonly order: Order
  readonly transactions: readonly Transaction[]
  readonly state: CheckoutState
  readonly now: Instant
  readonly timeLeft: TimeLeft | null
  /** Where a transfer for the order's invoice goes; null unless the invoice was sent. */
  readonly transfer: TransferDetails | null
  /** The order's plan has missed a payment. With its old default token it would probably miss the next one, too. */
  readonly savedCardBecomesDefault: boolean
}

export interface TimeLeft {
  readonly seconds: number
  readonly endsAt: Instant
  readonly timeZone: TimeZone
}

import type { Instant } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import type { Page, Reply } from './disputes.ts'

/**
 * One line of the acquirer's books. Amounts are in minor units of `currency`, by our table of minor digits.
 * - `acquirerType`: The acquirer's own word, such as `charge` or `stripe_fee`.
 * - `reference`: The `gatewayTransactionId` of our transaction, or the dispute's reference; null where the line has
 *   neither.
 * - `grossMinor`: Positive for money that comes in.
 * - `feeMinor`: Positive for what the acquirer keeps.
 * - `paid`: The currency and amount that the payer paid, where they differ from the settled ones.
 */
export interface BalanceEntry {
  readonly id: string
  readonly type: 'payment' | 'refund' | 'dispute' | 'fee' | 'payout' | 'other'
  readonly acquirerType: string
  readonly reference: string | null
  readonly currency: Currency
  readonly grossMinor: bigint
  readonly feeMinor: bigint
  readonly netMinor: bigint
  readonly paid: { readonly currency: Currency; readonly amountMinor: bigint } | null
  readonly createdAt: Instant
  readonly availableAt: Instant | null
}

export interface Payout {
  readonly id: string
  readonly currency: Currency
  readonly amountMinor: bigint
  readonly arrivesAt: Instant
  readonly createdAt: Instant
  readonly state: 'pending' | 'paid' | 'failed' | 'canceled'
}

/**
 * - `entries`: Lines created from `from` to `until`, oldest page last. A page holds at most 100.
 * - `payouts`: `paidIn` reads the currencies in which payments were made through the account lately, for an acquirer that
 *   lists the payouts of one currency at a time.
 * - `payoutEntries`: The lines that a payout pays.
 */
export interface SettlementReports {
  entries(query: {
    readonly from: Instant
    readonly until: Instant
    readonly cursor: string | null
  }): Promise<Reply<Page<BalanceEntry>>>
  payouts(query: {
    readonly createdAfter: Instant
    readonly cursor: string | null
    readonly paidIn: () => Promise<readonly Currency[]>
  }): Promise<Reply<Page<Payout>>>
  payoutEntries(query: {
    readonly payoutId: string
    readonly cursor: string | null
  }): Promise<Reply<Page<BalanceEntry>>>
}

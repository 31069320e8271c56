import { Money } from '#kernel/money'
import type { Settlement } from './settlement-entry.ts'
import { type Dispute, type DisputeEntry, disputeOf, type DisputeState } from './dispute.ts'
import type { Operation } from '../server/request.ts'
import type { DeclineCode } from '../server/test-cards.ts'

export type WaitReason = 'three_d_secure' | 'wallet_confirmation' | 'auto_debit'

export type FinalResult =
  | { readonly outcome: 'approved'; readonly code: 'approved' }
  | { readonly outcome: 'declined'; readonly code: DeclineCode }

export const APPROVED: FinalResult = { outcome: 'approved', code: 'approved' }

export function declined(code: DeclineCode): FinalResult {
  return { outcome: 'declined', code }
}

export type Entry =
  | {
      readonly entry: 'payment'
      readonly key: string
      readonly operation: Operation
      readonly minor?: string
      readonly currency?: string
      readonly instrument?: string
      readonly original_key?: string
      readonly return_url?: string
      readonly at_ms: number
      readonly end?: FinalResult
      readonly waits_for?: WaitReason
      readonly dispute?: DisputeEntry
    }
  | { readonly entry: 'end'; readonly key: string; readonly end: FinalResult; readonly at_ms: number }
  | { readonly entry: 'close'; readonly key: string }
  | (Settlement & { readonly entry: 'settlement' })
  | {
      readonly entry: 'evidence'
      readonly key: string
      readonly submission: string
      readonly state: DisputeState
    }

/**
 * All times are epoch milliseconds on the client's clock.
 * - `serial`: 1, 2, 3, …; the acquirer's own references derive from it.
 * - `canceled`: The key was closed while the payment waited, so nothing is or ever will be booked.
 * - `usedMinor`: Captured (authorization) or refunded (sale, capture) so far.
 * - `position`: Log position that must be durable before this payment is reported.
 */
export interface Payment {
  readonly key: string
  readonly operation: Operation
  readonly amount: Money | null
  readonly instrument: string | null
  readonly originalKey: string | null
  readonly returnUrl: string | null
  readonly startedAtMs: number
  readonly waitsFor: WaitReason | null
  readonly serial: number
  readonly dispute: Dispute | null
  end: FinalResult | null
  endedAtMs: number
  canceled: boolean
  seenAtMs: number
  usedMinor: bigint
  voided: boolean
  position: number
}

export function paymentOf(
  entry: Extract<Entry, { entry: 'payment' }>,
  serial: number,
  position: number,
): Payment {
  return {
    key: entry.key,
    operation: entry.operation,
    amount:
      entry.minor === undefined || entry.currency === undefined
        ? null
        : Money.ofMinor(entry.currency, BigInt(entry.minor)),
    instrument: entry.instrument ?? null,
    originalKey: entry.original_key ?? null,
    returnUrl: entry.return_url ?? null,
    startedAtMs: entry.at_ms,
    waitsFor: entry.waits_for ?? null,
    serial,
    dispute: entry.dispute === undefined ? null : disputeOf(entry.dispute),
    end: entry.end ?? null,
    endedAtMs: entry.at_ms,
    canceled: false,
    seenAtMs: entry.at_ms,
    usedMinor: 0n,
    voided: false,
    position,
  }
}

import { Money } from '#kernel/money'
import type { Operation } from '../server/request.ts'
import type { DeclineCode } from '../server/test-cards.ts'

/** What a pending payment waits for. */
export type Waiting = 'three_d_secure' | 'wallet_confirmation' | 'auto_debit'

/** How a payment can end. */
export type End =
  | { readonly outcome: 'approved'; readonly code: 'approved' }
  | { readonly outcome: 'declined'; readonly code: DeclineCode }

export const APPROVED: End = { outcome: 'approved', code: 'approved' }

export function declined(code: DeclineCode): End {
  return { outcome: 'declined', code }
}

/** One line of the log: what was decided, never how. Replaying the lines makes the books again. */
export type Entry =
  | {
      readonly entry: 'payment'
      readonly key: string
      readonly operation: Operation
      /** Minor units, as text. Left out, with the currency, for a verification. */
      readonly minor?: string
      readonly currency?: string
      /** The test card's name or the wallet's kind; never a card number. */
      readonly instrument?: string
      readonly original_key?: string
      readonly return_url?: string
      readonly at_ms: number
      /** A payment begins either ended or waiting. */
      readonly end?: End
      readonly waits_for?: Waiting
    }
  | { readonly entry: 'end'; readonly key: string; readonly end: End; readonly at_ms: number }
  | { readonly entry: 'close'; readonly key: string }

/** A payment as the books know it. All times are the callers' clocks, in milliseconds since the epoch. */
export interface Payment {
  readonly key: string
  readonly operation: Operation
  /** Null for a verification. */
  readonly amount: Money | null
  readonly instrument: string | null
  readonly originalKey: string | null
  readonly returnUrl: string | null
  readonly startedAtMs: number
  readonly waitsFor: Waiting | null
  /** Counts payments; the acquirer's own numbers are made of it. */
  readonly serial: number
  /** Null while it waits. */
  end: End | null
  endedAtMs: number
  /** Cancelled while it waited, by the closing of its key: nothing was booked and nothing will be. */
  canceled: boolean
  /** The latest time that a request about this payment brought. */
  seenAtMs: number
  /** What was captured of an authorization, or refunded of a sale or capture. */
  usedMinor: bigint
  voided: boolean
  /** The log line that must be on the disk before this payment is told of. */
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
    end: entry.end ?? null,
    endedAtMs: entry.at_ms,
    canceled: false,
    seenAtMs: entry.at_ms,
    usedMinor: 0n,
    voided: false,
    position,
  }
}

import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Metadata } from '#platform/http/validation/metadata'
import type { StatementEntry } from './statement-entry.ts'
import type { Suggestion } from './suggestion.ts'

export const ENTRY_STATES = ['matched', 'unmatched', 'suggested', 'ignored'] as const
export type EntryState = (typeof ENTRY_STATES)[number]

export const STATEMENT_FORMATS = ['camt053', 'csv'] as const
export type StatementFormat = (typeof STATEMENT_FORMATS)[number]

export interface NamedInvoice {
  readonly id: string
  readonly number: string
}

/**
 * A booked credit.
 * - `suggestions`: Only while the state is `suggested`.
 * - `countedOn`: The first open day, on which the match counts, if the booking date is in a closed month.
 * - `returnedOn`: The booking date of the debit that took it back.
 */
export interface BankEntry extends Omit<StatementEntry, 'kind' | 'returnedTo'> {
  readonly id: string
  readonly state: EntryState
  readonly statementId: string
  readonly suggestions: readonly NamedInvoice[]
  readonly countedOn: string | null
  readonly returnedOn: string | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** What an entry paid, or had paid until the match was undone. */
export interface EntryMatch {
  readonly entryId: string
  readonly invoice: NamedInvoice
  readonly orderId: string
  readonly customerUuid: string
  readonly amount: Money
  readonly transactionId: string
}

/** - `suggestions`: Present only if they were requested. */
export interface BankEntryView {
  readonly entry: BankEntry
  readonly matches: readonly EntryMatch[]
  readonly suggestions?: readonly Suggestion[]
}

/**
 * - `added`: How many entries no earlier statement had; `matched` and `unmatched` count these.
 * - `countedLater`: How many of `matched` count on the first open day.
 */
export interface BankStatement {
  readonly id: string
  readonly format: StatementFormat
  readonly entries: number
  readonly added: number
  readonly matched: number
  readonly unmatched: number
  readonly countedLater: number
  readonly referenceId: string | null
  readonly metadata: Metadata
  readonly createdAt: Instant
}

import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Metadata } from '#platform/http/validation/metadata'
import type { Invoice, ShownReason } from './invoice.ts'

/**
 * Where a document's number comes from: a year of 0 where the numbers count on for ever.
 * - `series`: What counts the numbers, which several series of an entity may share.
 */
export interface SequencePlace {
  readonly series: string
  readonly seriesKey: string
  readonly year: number
  readonly sequence: bigint
}

/**
 * Why a credit note was issued.
 * - `unsettled`: What it neither took from what was due nor gave back. A later refund of it needs no other note.
 * - `refundIds`: The refunds that give it back.
 */
export interface NoteReason extends ShownReason {
  readonly unsettled: Money
  readonly refundIds: readonly string[]
}

export interface IssuedInvoice extends Invoice, SequencePlace {
  readonly note: NoteReason | null
  readonly overdueAt: Instant | null
  readonly referenceId: string | null
  readonly metadata: Metadata
  readonly updatedAt: Instant
}

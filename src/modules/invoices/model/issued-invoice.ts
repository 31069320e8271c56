import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Metadata } from '#platform/http/validation/metadata'
import type { Invoice, ShownReason } from './invoice.ts'

/**
 * The counter of a document's number. Its year is 0 if the numbers never restart.
 * - `series`: The counter's key, which several series of an entity may share.
 */
export interface SequencePlace {
  readonly series: string
  readonly seriesKey: string
  readonly year: number
  readonly sequence: bigint
}

/**
 * Why a credit note was issued.
 * - `unsettled`: The part that neither lowered what was due nor was given back. A later refund of it needs no other note.
 * - `refundIds`: The refunds that give the amount back.
 */
export interface NoteReason extends ShownReason {
  readonly unsettled: Money
  readonly refundIds: readonly string[]
}

/** - `isErased`: Its customer was erased. The document stays as it was issued, and its events leave out the person. */
export interface IssuedInvoice extends Invoice, SequencePlace {
  readonly note: NoteReason | null
  readonly overdueAt: Instant | null
  readonly referenceId: string | null
  readonly metadata: Metadata
  readonly isErased: boolean
  readonly updatedAt: Instant
}

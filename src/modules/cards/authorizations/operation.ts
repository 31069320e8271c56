import type { Instant } from '#kernel/clock'
import type { Authorization } from './authorization.ts'

export type OperationKind = 'capture' | 'refund' | 'reversal' | 'expiry'

/** What was done with an authorization. */
export interface Operation {
  readonly kind: OperationKind
  readonly authorizationUuid: string
  readonly cardId: string
  readonly amountMinor: bigint
  /** Of a capture: how much of it no hold covered. */
  readonly forcedMinor: bigint
  readonly at: Instant
  /** The caller's reference, and what it is answered for good. */
  readonly kept: { readonly referenceId: string; readonly answer: string } | null
}

/** What is noted of an operation that made `before` into `after`. */
export function operationOf(
  kind: OperationKind,
  before: Authorization,
  after: Authorization,
  at: Instant,
  kept: Operation['kept'] = null,
): Operation {
  return {
    kind,
    authorizationUuid: after.uuid,
    cardId: after.cardId,
    amountMinor: movedBy(kind, before, after),
    forcedMinor: after.forcedMinor - before.forcedMinor,
    at,
    kept,
  }
}

/** How much an operation captured, gave back or released. */
function movedBy(kind: OperationKind, before: Authorization, after: Authorization): bigint {
  if (kind === 'capture') return after.capturedMinor - before.capturedMinor
  if (kind === 'refund') return after.refundedMinor - before.refundedMinor
  return before.heldMinor - after.heldMinor
}

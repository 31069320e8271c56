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
  readonly firstResponse: { readonly referenceId: string; readonly answer: string } | null
}

/** What is noted of an operation that made `before` into `after`. */
export function newOperation(
  kind: OperationKind,
  before: Authorization,
  after: Authorization,
  at: Instant,
  kept: Operation['firstResponse'] = null,
): Operation {
  return {
    kind,
    authorizationUuid: after.uuid,
    cardId: after.cardId,
    amountMinor: operationAmount(kind, before, after),
    forcedMinor: after.forcedMinor - before.forcedMinor,
    at,
    firstResponse: kept,
  }
}

/** How much an operation captured, gave back or released. */
function operationAmount(kind: OperationKind, before: Authorization, after: Authorization): bigint {
  if (kind === 'capture') return after.capturedMinor - before.capturedMinor
  if (kind === 'refund') return after.refundedMinor - before.refundedMinor
  return before.heldMinor - after.heldMinor
}

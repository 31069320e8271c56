import type { Instant } from '#kernel/clock'
import type { Authorization } from './authorization.ts'

export type OperationKind = 'capture' | 'refund' | 'reversal' | 'expiry'

export interface Operation {
  readonly kind: OperationKind
  readonly authorizationUuid: string
  readonly cardId: string
  readonly amountMinor: bigint
  readonly forcedMinor: bigint
  readonly at: Instant
  readonly firstResponse: { readonly referenceId: string; readonly response: string } | null
}

export function newOperation(
  kind: OperationKind,
  before: Authorization,
  after: Authorization,
  at: Instant,
  firstResponse: Operation['firstResponse'] = null,
): Operation {
  return {
    kind,
    authorizationUuid: after.uuid,
    cardId: after.cardId,
    amountMinor: operationAmount(kind, before, after),
    forcedMinor: after.forcedMinor - before.forcedMinor,
    at,
    firstResponse,
  }
}

function operationAmount(kind: OperationKind, before: Authorization, after: Authorization): bigint {
  if (kind === 'capture') return after.capturedMinor - before.capturedMinor
  if (kind === 'refund') return after.refundedMinor - before.refundedMinor
  return before.heldMinor - after.heldMinor
}

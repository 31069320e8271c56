import { type JsonObject, parseJson } from '#kernel/json'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import { parsePositive } from '../api/amounts.ts'
import { type Authorization, capture, expire, isHoldExpired, refund, reverse } from './authorization.ts'
import { lockAuthorization, saveAuthorization } from './lock-authorization.ts'
import type { CardsDependencies } from '../dependencies.ts'
import { findFirstResponse, insertOperations } from '../storage/operation.repository.ts'
import { type OperationKind, newOperation } from './operation.ts'
import { renderAuthorization } from '../api/render.ts'

export interface CaptureRequest {
  readonly amount?: string
  readonly final?: boolean
  readonly reference_id?: string
}

export type RefundRequest = Omit<CaptureRequest, 'final'>
export type ReverseRequest = Pick<CaptureRequest, 'amount'>

/** Captures a part, the rest, or by force more than is held. Errors as `capture` in authorization.ts. */
export async function captureAuthorization(
  deps: CardsDependencies,
  caller: Caller,
  uuid: string,
  request: CaptureRequest,
): Promise<object> {
  return operate(deps, caller, uuid, 'capture', request, (authorization, amountMinor) =>
    capture(authorization, amountMinor, request.final),
  )
}

/** Gives back captured money. Errors as `refund` in authorization.ts. */
export async function refundAuthorization(
  deps: CardsDependencies,
  caller: Caller,
  uuid: string,
  request: RefundRequest,
): Promise<object> {
  return operate(deps, caller, uuid, 'refund', request, refund)
}

/** Releases held money. Errors as `reverse` in authorization.ts. */
export async function reverseAuthorization(
  deps: CardsDependencies,
  caller: Caller,
  uuid: string,
  request: ReverseRequest,
): Promise<object> {
  return operate(deps, caller, uuid, 'reversal', request, reverse)
}

/**
 * Locks the authorization's card, decides, and saves what changed. The same reference again gets the first answer.
 * @throws 404, 422 a bad amount, and what `decide` throws
 */
async function operate(
  deps: CardsDependencies,
  caller: Caller,
  uuid: string,
  kind: Exclude<OperationKind, 'expiry'>,
  request: RefundRequest,
  decide: (authorization: Authorization, amountMinor: bigint | undefined) => Authorization,
): Promise<object> {
  const { amount, reference_id: referenceId } = request
  return once(deps.db, caller, async (tx) => {
    const [locked, kept] = await Promise.all([
      lockAuthorization(tx, uuid),
      referenceId === undefined ? null : findFirstResponse(tx, uuid, kind, referenceId),
    ])
    if (kept !== null) return parseJson(kept) as JsonObject
    const { authorization: before, at } = locked
    // Due work may be a moment late.
    const isLate = isHoldExpired(before, at)
    const standing = isLate ? expire(before) : before
    const after = decide(
      standing,
      amount === undefined ? undefined : parsePositive(before.currency, amount, 'amount'),
    )
    const answer = { authorization: renderAuthorization(after) }
    const keptAnswer = referenceId === undefined ? null : { referenceId, answer: JSON.stringify(answer) }
    await saveAuthorization(deps, tx, locked, after)
    await insertOperations(tx, [
      ...(isLate ? [newOperation('expiry', before, standing, at)] : []),
      newOperation(kind, standing, after, at, keptAnswer),
    ])
    return answer
  })
}

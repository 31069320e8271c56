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

export async function refundAuthorization(
  deps: CardsDependencies,
  caller: Caller,
  uuid: string,
  request: RefundRequest,
): Promise<object> {
  return operate(deps, caller, uuid, 'refund', request, refund)
}

export async function reverseAuthorization(
  deps: CardsDependencies,
  caller: Caller,
  uuid: string,
  request: ReverseRequest,
): Promise<object> {
  return operate(deps, caller, uuid, 'reversal', request, reverse)
}

/**
 * Locks the authorization's card, decides, and saves. A repeated reference gets the first response
 * (reference/cards#operations-repeated).
 * @throws 404; 422 invalid amount; and what `decide` throws
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
    const [locked, firstResponse] = await Promise.all([
      lockAuthorization(tx, uuid),
      referenceId === undefined ? null : findFirstResponse(tx, uuid, kind, referenceId),
    ])
    if (firstResponse !== null) return parseJson(firstResponse) as JsonObject
    const { authorization: before, at } = locked
    // The job that expires holds may run a moment late.
    const mustExpire = isHoldExpired(before, at)
    const current = mustExpire ? expire(before) : before
    const after = decide(
      current,
      amount === undefined ? undefined : parsePositive(before.currency, amount, 'amount'),
    )
    const response = { authorization: renderAuthorization(after) }
    await saveAuthorization(deps, tx, locked, after)
    await insertOperations(tx, [
      ...(mustExpire ? [newOperation('expiry', before, current, at)] : []),
      newOperation(
        kind,
        current,
        after,
        at,
        referenceId === undefined ? null : { referenceId, response: JSON.stringify(response) },
      ),
    ])
    return response
  })
}

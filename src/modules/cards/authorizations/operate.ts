import { errorOf } from '#kernel/errors'
import { parseJson } from '#kernel/json'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import { parsePositive } from '../requests/amounts.ts'
import {
  type Authorization,
  capture,
  expire,
  isHoldExpired,
  type OperatedAuthorization,
  refund,
  reverse,
} from '../model/authorization.ts'
import { lockAuthorization, saveAuthorization } from './lock-authorization.ts'
import type { CardsContext } from '../context.ts'
import { errors } from '../errors.ts'
import { findFirstResponse, insertOperations } from '../storage/operation.repository.ts'
import type { CaptureRequest, RefundRequest, ReverseRequest } from '../model/requests.ts'
import { type OperationKind, newOperation } from '../model/operation.ts'

export type OperationReply =
  | { readonly kind: 'done'; readonly authorization: Authorization }
  | { readonly kind: 'repeated'; readonly response: unknown }

export async function captureAuthorization(
  ctx: CardsContext,
  caller: Caller,
  uuid: string,
  request: CaptureRequest,
): Promise<OperationReply> {
  return operate(ctx, caller, uuid, 'capture', request, (authorization, amountMinor) =>
    capture(authorization, amountMinor, request.final),
  )
}

export async function refundAuthorization(
  ctx: CardsContext,
  caller: Caller,
  uuid: string,
  request: RefundRequest,
): Promise<OperationReply> {
  return operate(ctx, caller, uuid, 'refund', request, refund)
}

export async function reverseAuthorization(
  ctx: CardsContext,
  caller: Caller,
  uuid: string,
  request: ReverseRequest,
): Promise<OperationReply> {
  return operate(ctx, caller, uuid, 'reversal', request, reverse)
}

/**
 * Locks the authorization's card, decides, and saves. A repeated reference gets the first response
 * (reference/cards#operations-repeated).
 * @throws 404; 422 invalid amount; and what `decide` refuses
 */
async function operate(
  ctx: CardsContext,
  caller: Caller,
  uuid: string,
  kind: Exclude<OperationKind, 'expiry'>,
  request: RefundRequest,
  decide: (authorization: Authorization, amountMinor: bigint | undefined) => OperatedAuthorization,
): Promise<OperationReply> {
  const { amount, reference_id: referenceId } = request
  return once(ctx.db, caller, async (tx) => {
    const [locked, firstResponse] = await Promise.all([
      lockAuthorization(tx, uuid),
      referenceId === undefined ? null : findFirstResponse(tx, uuid, kind, referenceId),
    ])
    if (firstResponse !== null) return { kind: 'repeated', response: parseJson(firstResponse) }
    const { authorization: before, at } = locked
    // The job that expires holds may run a moment late.
    const mustExpire = isHoldExpired(before, at)
    const current = mustExpire ? expire(before) : before
    const after = decide(
      current,
      amount === undefined ? undefined : parsePositive(before.currency, amount, 'amount'),
    )
    if ('refused' in after) throw errorOf(errors, after)
    await saveAuthorization(ctx, tx, locked, after)
    await insertOperations(tx, [
      ...(mustExpire ? [newOperation('expiry', before, current, at)] : []),
      newOperation(
        kind,
        current,
        after,
        at,
        referenceId === undefined
          ? null
          : { referenceId, response: JSON.stringify(ctx.present.authorization(after)) },
      ),
    ])
    return { kind: 'done', authorization: after }
  })
}

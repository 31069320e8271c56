import type { Instant } from '#kernel/clock'
import { parseJson } from '#kernel/json'
import type { JsonObject } from '#kernel/json'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency'
import { findAuthorizations, updateAuthorizations } from './authorization.repository.ts'
import { capture, expire, isHoldOver, refund, reverse, usageAfter } from './authorization.ts'
import type { Authorization } from './authorization.ts'
import { parsePositive } from './authorize.ts'
import { findCards } from './card.repository.ts'
import { errors } from './errors.ts'
import { moveFunds } from './move-funds.ts'
import type { CardsNeeds } from './needs.ts'
import { findKeptAnswer, insertOperations } from './operation.repository.ts'
import type { Operation, OperationKind } from './operation.repository.ts'
import { renderAuthorization } from './render.ts'
import { cardTime } from './usage.ts'
import { lockUsageOfAuthorization, updateUsages } from './usage.repository.ts'

export interface CaptureRequest {
  readonly amount?: string
  readonly final?: boolean
  readonly reference_id?: string
}

export type RefundRequest = Omit<CaptureRequest, 'final'>
export type ReverseRequest = Pick<CaptureRequest, 'amount'>

/** Captures a part, the rest, or by force more than is held. Errors as `capture` in authorization.ts. */
export async function captureAuthorization(
  needs: CardsNeeds,
  caller: Caller,
  uuid: string,
  request: CaptureRequest,
): Promise<object> {
  return operate(needs, caller, uuid, 'capture', request, (authorization, amountMinor) =>
    capture(authorization, amountMinor, request.final),
  )
}

/** Gives back captured money. Errors as `refund` in authorization.ts. */
export async function refundAuthorization(
  needs: CardsNeeds,
  caller: Caller,
  uuid: string,
  request: RefundRequest,
): Promise<object> {
  return operate(needs, caller, uuid, 'refund', request, refund)
}

/** Releases held money. Errors as `reverse` in authorization.ts. */
export async function reverseAuthorization(
  needs: CardsNeeds,
  caller: Caller,
  uuid: string,
  request: ReverseRequest,
): Promise<object> {
  return operate(needs, caller, uuid, 'reversal', request, reverse)
}

/**
 * Locks the authorization's card, decides, and saves what changed. The same reference again gets the first answer.
 * @throws 404, 422 a bad amount, and what `decide` throws
 */
async function operate(
  needs: CardsNeeds,
  caller: Caller,
  uuid: string,
  kind: Exclude<OperationKind, 'expiry'>,
  request: RefundRequest,
  decide: (authorization: Authorization, amountMinor: bigint | undefined) => Authorization,
): Promise<object> {
  const { amount, reference_id: referenceId } = request
  return once(needs.db, caller, async (tx) => {
    const [usage, found, kept] = await Promise.all([
      lockUsageOfAuthorization(tx, uuid),
      findAuthorizations(tx, [uuid]),
      referenceId === undefined ? null : findKeptAnswer(tx, uuid, kind, referenceId),
    ])
    const before = found.get(uuid)
    if (usage === null || before === undefined) throw errors.authorization_not_found()
    if (kept !== null) return parseJson(kept) as JsonObject
    const at = cardTime(usage, tx.now)
    // Due work may be a moment late.
    const isLate = isHoldOver(before, at)
    const standing = isLate ? expire(before) : before
    const after = decide(
      standing,
      amount === undefined ? undefined : parsePositive(before.currency, amount, 'amount'),
    )
    const card = (await findCards(tx, [before.cardId])).get(before.cardId)
    if (card === undefined) throw errors.card_not_found()
    const answer = { authorization: renderAuthorization(after) }
    const keptAnswer = referenceId === undefined ? null : { referenceId, answer: JSON.stringify(answer) }
    await moveFunds(needs, tx, card, before, after)
    await Promise.all([
      updateAuthorizations(tx, [after]),
      updateUsages(tx, [usageAfter(usage, card.timeZone, before, after, at)]),
      insertOperations(tx, [
        ...(isLate ? [operationOf('expiry', before, standing, at)] : []),
        operationOf(kind, standing, after, at, keptAnswer),
      ]),
    ])
    return answer
  })
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

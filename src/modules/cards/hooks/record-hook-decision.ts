import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { successEnvelope } from '#platform/envelope'
import { storeReply } from '#platform/idempotency/idempotency'
import { applyHookDecision, type Authorization } from '../model/authorization.ts'
import { HOLD_EXPIRY } from '../job-names.ts'
import { lockAuthorization, saveAuthorization } from '../authorizations/lock-authorization.ts'
import type { CardsContext } from '../context.ts'
import { authorizationEvent } from '../card-events.ts'
import type { HookResult } from './call-hook.ts'

/**
 * Records the hook's decision on a held authorization; without a decision, the timeout fallback. The first of the caller
 * and the job to get here decides, and the other returns that decision.
 */
export async function recordHookDecision(
  ctx: CardsContext,
  tx: Tx,
  uuid: string,
  result: HookResult,
): Promise<Authorization> {
  const locked = await lockAuthorization(tx, uuid)
  const { authorization: before, at } = locked
  if (before.pendingHook === null) return before
  const { timeoutFallback } = before.pendingHook
  const after =
    result === 'timeout' || result === 'error'
      ? applyHookDecision(before, timeoutFallback, `hook_${result}`)
      : applyHookDecision(before, result, 'hook_declined')
  await saveAuthorization(ctx, tx, locked, after)
  await Promise.all([
    after.heldMinor > 0n && scheduleJob(tx, HOLD_EXPIRY, after.expiresAt),
    storeReply(tx, after.idempotencyId, 200, successEnvelope(ctx.present.authorization(after))),
    ctx.events.append(tx, [authorizationEvent(ctx, after, at)]),
  ])
  return after
}

export async function applyTimeoutFallback(ctx: CardsContext, tx: Tx, uuid: string): Promise<void> {
  await recordHookDecision(ctx, tx, uuid, 'timeout')
}

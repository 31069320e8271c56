import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { successEnvelope } from '#platform/http/routes/envelope'
import { keepAnswer } from '#platform/idempotency/idempotency'
import { type Authorization, applyHookDecision } from '../authorizations/authorization.ts'
import { HOLD_EXPIRY } from '../job-names.ts'
import { lockAuthorization, saveAuthorization } from '../authorizations/lock-authorization.ts'
import type { CardsDependencies } from '../dependencies.ts'
import { renderAuthorization } from '../api/render.ts'
import { authorizationEvent } from '../card-events.ts'

/**
 * Records what a decision hook said of a held authorization: the hold stands, or is released. Whoever comes second, the
 * hook's answer or the due work that takes its silence, finds the decision made and answers it.
 * @param approved what the hook said; undefined for what its silence means
 */
export async function recordHookDecision(
  deps: CardsDependencies,
  tx: Tx,
  uuid: string,
  approved: boolean | undefined,
): Promise<Authorization> {
  const locked = await lockAuthorization(tx, uuid)
  const { authorization: before, at } = locked
  if (before.pendingHook === null) return before
  const after = applyHookDecision(before, approved ?? before.pendingHook.timeoutFallback === 'approve')
  await saveAuthorization(deps, tx, locked, after)
  await Promise.all([
    after.heldMinor > 0n && scheduleJob(tx, HOLD_EXPIRY, after.expiresAt),
    keepAnswer(tx, after.idempotencyId, 200, successEnvelope({ authorization: renderAuthorization(after) })),
    deps.events.append(tx, [authorizationEvent(after, at)]),
  ])
  return after
}

import type { Tx } from '#platform/database'
import { scheduleDue } from '#platform/due-work'
import { successEnvelope } from '#platform/http/envelope'
import { keepAnswer } from '#platform/idempotency'
import { findAuthorizations, updateAuthorizations } from './authorization.repository.ts'
import { settleAsked, usageAfter } from './authorization.ts'
import type { Authorization } from './authorization.ts'
import { findCards } from './card.repository.ts'
import { decisionEvent } from './decide-together.ts'
import { HOLD_EXPIRY } from './due-kinds.ts'
import { errors } from './errors.ts'
import { moveFunds } from './move-funds.ts'
import type { CardsNeeds } from './needs.ts'
import { renderAuthorization } from './render.ts'
import { cardTime } from './usage.ts'
import { lockUsageOfAuthorization, updateUsages } from './usage.repository.ts'

/**
 * Records what a decision hook said of a held authorization: the hold stands, or is released. Whoever comes second, the
 * hook's answer or the due work that takes its silence, finds the decision made and answers it.
 * @param approved what the hook said; undefined for what its silence means
 */
export async function recordHookAnswer(
  needs: CardsNeeds,
  tx: Tx,
  uuid: string,
  approved: boolean | undefined,
): Promise<Authorization> {
  const [usage, found] = await Promise.all([
    lockUsageOfAuthorization(tx, uuid),
    findAuthorizations(tx, [uuid]),
  ])
  const before = found.get(uuid)
  if (usage === null || before === undefined) throw errors.authorization_not_found()
  if (before.asked === null) return before
  const card = (await findCards(tx, [before.cardId])).get(before.cardId)
  if (card === undefined) throw errors.card_not_found()
  const at = cardTime(usage, tx.now)
  const after = settleAsked(before, approved ?? before.asked.onSilence === 'approve')
  await moveFunds(needs, tx, card, before, after)
  await Promise.all([
    updateAuthorizations(tx, [after]),
    updateUsages(tx, [usageAfter(usage, card.timeZone, before, after, at)]),
    after.heldMinor > 0n && scheduleDue(tx, HOLD_EXPIRY, after.expiresAt),
    keepAnswer(tx, after.idempotencyId, 200, successEnvelope({ authorization: renderAuthorization(after) })),
    needs.events.append(tx, [decisionEvent(after, at)]),
  ])
  return after
}

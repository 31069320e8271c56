import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { findAuthorizations, updateAuthorizations } from '../storage/authorization.repository.ts'
import { type Authorization, usageAfter } from '../model/authorization.ts'
import { findCards } from '../storage/card.repository.ts'
import { errors } from '../errors.ts'
import { moveFunds } from '../funding/move-funds.ts'
import type { CardsContext } from '../context.ts'
import { cardTime, type Usage } from '../model/usage.ts'
import { lockUsageOfAuthorization, updateUsages } from '../storage/usage.repository.ts'

export interface LockedAuthorization {
  readonly authorization: Authorization
  readonly usage: Usage
  readonly at: Instant
}

export async function lockAuthorization(tx: Tx, uuid: string): Promise<LockedAuthorization> {
  const [usage, authorizations] = await Promise.all([
    lockUsageOfAuthorization(tx, uuid),
    findAuthorizations(tx, [uuid]),
  ])
  const authorization = authorizations.get(uuid)
  if (usage === null || authorization === undefined) throw errors.authorization_not_found()
  return { authorization, usage, at: cardTime(usage, tx.now) }
}

export async function saveAuthorization(
  ctx: CardsContext,
  tx: Tx,
  { authorization: before, usage, at }: LockedAuthorization,
  after: Authorization,
): Promise<void> {
  const card = (await findCards(tx, [before.cardId])).get(before.cardId)
  if (card === undefined) throw errors.card_not_found()
  await moveFunds(ctx, tx, card, before, after)
  tx.defer(updateAuthorizations(tx, [after]))
  tx.defer(updateUsages(tx, [usageAfter(usage, card.timeZone, before, after, at)]))
}

import type { Tx } from '#platform/postgres/database'
import { findCards } from '../storage/card.repository.ts'
import { errors } from '../errors.ts'
import { findLimits } from '../storage/limit.repository.ts'
import type { CardView } from '../context.ts'
import { cardTime } from '../model/usage.ts'
import { lockUsages, advanceCardTime } from '../storage/usage.repository.ts'

export type LockedCard = CardView

/**
 * Locks cards in the order of their ids, so that two batches never deadlock. Unknown ids are left out of the result.
 * All statements go in one round trip; PostgreSQL runs the reads after it has taken the locks.
 */
export async function lockCards(tx: Tx, ids: readonly string[]): Promise<Map<string, LockedCard>> {
  const sortedIds = [...new Set(ids)].sort()
  const [usages, cards, limits] = await Promise.all([
    lockUsages(tx, sortedIds),
    findCards(tx, sortedIds),
    findLimits(tx, sortedIds),
  ])
  const locked = new Map<string, LockedCard>()
  for (const [id, usage] of usages) {
    const card = cards.get(id)
    if (card === undefined) throw new Error(`card ${id} has a row in card_usage and none in cards`)
    locked.set(id, { card, usage, limits: limits.get(id) ?? [], at: cardTime(usage, tx.now) })
  }
  return locked
}

/**
 * Locks cards whose row or limits will change, and advances their time: a transaction that read the clock earlier and
 * waited for the lock then gets a later time. Decisions and operations advance it when they write the usage.
 */
export async function lockCardsToChange(tx: Tx, ids: readonly string[]): Promise<Map<string, LockedCard>> {
  const locking = lockCards(tx, ids)
  tx.defer(advanceCardTime(tx, ids))
  return locking
}

export async function lockCardToChange(tx: Tx, id: string): Promise<LockedCard> {
  const card = (await lockCardsToChange(tx, [id])).get(id)
  if (card === undefined) throw errors.card_not_found()
  return card
}

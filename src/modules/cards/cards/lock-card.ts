import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { findCards } from '../storage/card.repository.ts'
import { errors } from '../api/errors.ts'
import { findLimits } from '../storage/limit.repository.ts'
import type { CardWithLimits } from '../api/render.ts'
import { cardTime } from '../limits/usage.ts'
import { lockUsages, advanceCardTime } from '../storage/usage.repository.ts'

/** A card that nobody else changes until the transaction ends. */
export interface LockedCard extends CardWithLimits {
  /** The card's time: what happens now happens at it. */
  readonly at: Instant
}

/**
 * Locks cards, each once and in the order of their ids, so that two batches never wait for each other; unknown ids are
 * left out. One round trip: the reads run after the lock was taken.
 */
export async function lockCards(tx: Tx, ids: readonly string[]): Promise<Map<string, LockedCard>> {
  const inOrder = [...new Set(ids)].sort()
  const [usages, cards, limits] = await Promise.all([
    lockUsages(tx, inOrder),
    findCards(tx, inOrder),
    findLimits(tx, inOrder),
  ])
  const locked = new Map<string, LockedCard>()
  for (const [id, usage] of usages) {
    const card = cards.get(id)
    if (card === undefined) throw new Error(`card ${id} has a usage and no row`)
    locked.set(id, { card, usage, limits: limits.get(id) ?? [], at: cardTime(usage, tx.now) })
  }
  return locked
}

/**
 * Locks cards whose row or limits are to be changed. Their time moves on, so that whoever waits for the lock, and has read
 * the clock before, comes after. Decisions and their operations move it as they write the usage.
 */
export async function lockCardsToChange(tx: Tx, ids: readonly string[]): Promise<Map<string, LockedCard>> {
  const locking = lockCards(tx, ids)
  tx.defer(advanceCardTime(tx, ids))
  return locking
}

/** @throws 404 `card_not_found` */
export async function lockCardToChange(tx: Tx, id: string): Promise<LockedCard> {
  const card = (await lockCardsToChange(tx, [id])).get(id)
  if (card === undefined) throw errors.card_not_found()
  return card
}

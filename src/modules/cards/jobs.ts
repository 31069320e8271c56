import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { DueRun, DueWork } from '#platform/jobs/jobs'
import {
  expiringHolds,
  findAuthorizations,
  nextHoldExpiry,
  nextSilence,
  silentAuthorizations,
  updateAuthorizations,
} from './storage/authorization.repository.ts'
import { type Authorization, expire, isHoldOver, usageAfter } from './authorizations/authorization.ts'
import { statusAt } from './cards/card.ts'
import { expiredCardIds, nextCardExpiry, updateCard } from './storage/card.repository.ts'
import { CARD_EXPIRY, HOLD_EXPIRY, HOOK_SILENCE } from './job-kinds.ts'
import { lockCards, lockCardsToChange } from './storage/locked-card.ts'
import { lockFunds, moveFunds } from './storage/move-funds.ts'
import type { CardsNeeds } from './dependencies.ts'
import { insertOperations } from './storage/operation.repository.ts'
import { operationOf } from './authorizations/operation.ts'
import { recordHookAnswer } from './hooks/settle-asked.ts'
import { cardEvent } from './tell.ts'
import { cardTime, type Usage } from './limits/usage.ts'
import { updateUsages } from './storage/usage.repository.ts'

const BATCH = 200

export function cardsDueWork(needs: CardsNeeds): DueWork[] {
  return [holdExpiry(needs), hookSilence(needs), cardExpiry(needs)]
}

/** Releases holds seven days after their authorization. */
function holdExpiry(needs: CardsNeeds): DueWork {
  return {
    name: HOLD_EXPIRY,
    clock: 'business',
    of: 'cards',
    nextDueAt: nextHoldExpiry,
    run: (run) => needs.db.transact(run.businessId, (tx) => expireHolds(needs, tx, run)),
  }
}

async function expireHolds(needs: CardsNeeds, tx: Tx, { until, timeOf }: DueRun): Promise<number> {
  const due = await expiringHolds(tx, until, BATCH)
  if (due.length === 0) return 0
  const cardIds = due.map(({ cardId }) => cardId)
  const [cards, holds] = await Promise.all([
    lockCards(tx, cardIds),
    findAuthorizations(
      tx,
      due.map(({ uuid }) => uuid),
    ),
  ])
  await lockFunds(needs, tx, cards.values())
  const usages = new Map<string, Usage>()
  const changes: { before: Authorization; after: Authorization; at: Instant }[] = []
  for (const { uuid, cardId } of due) {
    const before = holds.get(uuid)
    const locked = cards.get(cardId)
    // Whoever held the card's lock before may have captured or reversed it.
    if (before === undefined || locked === undefined || !isHoldOver(before, until)) continue
    const at = timeOf(before.expiresAt)
    const after = expire(before)
    await moveFunds(needs, tx, locked.card, before, after)
    const usage = usages.get(cardId) ?? locked.usage
    usages.set(cardId, usageAfter(usage, locked.card.timeZone, before, after, at))
    changes.push({ before, after, at })
  }
  await Promise.all([
    updateAuthorizations(
      tx,
      changes.map(({ after }) => after),
    ),
    updateUsages(tx, [...usages.values()]),
    insertOperations(
      tx,
      changes.map(({ before, after, at }) => operationOf('expiry', before, after, at)),
    ),
  ])
  return due.length
}

/** Applies what silence means where whoever asked a decision hook has died before the answer. */
function hookSilence(needs: CardsNeeds): DueWork {
  return {
    name: HOOK_SILENCE,
    clock: 'real',
    nextDueAt: nextSilence,
    run: async ({ businessId, until }) => {
      const uuids = await needs.db.transact(businessId, (tx) => silentAuthorizations(tx, until, BATCH))
      for (const uuid of uuids) {
        await needs.db.transact(businessId, (tx) => recordHookAnswer(needs, tx, uuid, undefined))
      }
      return uuids.length
    },
  }
}

/** Marks cards whose last month has ended, so that their event is told at that time. */
function cardExpiry(needs: CardsNeeds): DueWork {
  return {
    name: CARD_EXPIRY,
    clock: 'business',
    of: 'cards',
    nextDueAt: nextCardExpiry,
    run: (run) => needs.db.transact(run.businessId, (tx) => expireCards(needs, tx, run)),
  }
}

async function expireCards(needs: CardsNeeds, tx: Tx, { until, timeOf }: DueRun): Promise<number> {
  const ids = await expiredCardIds(tx, until, BATCH)
  const locked = await lockCardsToChange(tx, ids)
  const expired = [...locked.values()]
    // Whoever held the card's lock before may have written it.
    .filter(({ card }) => card.status !== 'Expired' && statusAt(card, until) === 'Expired')
    .map((shown) => ({
      shown: { ...shown, card: { ...shown.card, status: 'Expired' as const } },
      at: cardTime(shown.usage, timeOf(shown.card.expiresAt)),
    }))
  await Promise.all(expired.map(({ shown, at }) => updateCard(tx, shown.card, at)))
  await needs.events.append(
    tx,
    expired.map(({ shown, at }) => cardEvent('card.status_changed', shown, at)),
  )
  return ids.length
}

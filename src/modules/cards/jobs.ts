import type { Instant } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { JobRun, Job } from '#platform/jobs/jobs'
import {
  expiringHolds,
  findAuthorizations,
  nextHoldExpiry,
  nextHookTimeout,
  timedOutHookAuthorizations,
  updateAuthorizations,
} from './storage/authorization.repository.ts'
import { type Authorization, expire, isHoldExpired, usageAfter } from './model/authorization.ts'
import { statusAt } from './model/card.ts'
import { expiredCardIds, nextCardExpiry, updateCard } from './storage/card.repository.ts'
import { CARD_EXPIRY, HOLD_EXPIRY, HOOK_TIMEOUT } from './job-names.ts'
import { lockCards, lockCardsToChange } from './cards/lock-card.ts'
import { lockFunds, moveFunds } from './funding/move-funds.ts'
import type { CardsContext } from './context.ts'
import { insertOperations } from './storage/operation.repository.ts'
import { newOperation } from './model/operation.ts'
import { applyTimeoutFallback } from './hooks/record-hook-decision.ts'
import { cardEvent } from './card-events.ts'
import { cardTime, type Usage } from './model/usage.ts'
import { updateUsages } from './storage/usage.repository.ts'

const BATCH_SIZE = 200

export function cardJobs(ctx: CardsContext): Job[] {
  return [holdExpiry(ctx), hookTimeout(ctx), cardExpiry(ctx)]
}

function holdExpiry(ctx: CardsContext): Job {
  return {
    name: HOLD_EXPIRY,
    clock: 'business',
    domain: 'cards',
    nextRunAt: nextHoldExpiry,
    run: (run) => ctx.db.transact(run.businessId, (tx) => expireHolds(ctx, tx, run)),
  }
}

async function expireHolds(ctx: CardsContext, tx: Tx, { until, timeOf }: JobRun): Promise<number> {
  const due = await expiringHolds(tx, until, BATCH_SIZE)
  if (due.length === 0) return 0
  const cardIds = due.map(({ cardId }) => cardId)
  const [cards, holds] = await Promise.all([
    lockCards(tx, cardIds),
    findAuthorizations(
      tx,
      due.map(({ uuid }) => uuid),
    ),
  ])
  await lockFunds(ctx, tx, cards.values())
  const usages = new Map<string, Usage>()
  const changes: { before: Authorization; after: Authorization; at: Instant }[] = []
  for (const { uuid, cardId } of due) {
    const before = holds.get(uuid)
    const locked = cards.get(cardId)
    // The previous holder of the card's lock may have captured or reversed the hold.
    if (before === undefined || locked === undefined || !isHoldExpired(before, until)) continue
    const at = timeOf(before.expiresAt)
    const after = expire(before)
    await moveFunds(ctx, tx, locked.card, before, after)
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
      changes.map(({ before, after, at }) => newOperation('expiry', before, after, at)),
    ),
  ])
  return due.length
}

function hookTimeout(ctx: CardsContext): Job {
  return {
    name: HOOK_TIMEOUT,
    clock: 'real',
    nextRunAt: nextHookTimeout,
    run: async ({ businessId, until }) => {
      const uuids = await ctx.db.transact(businessId, (tx) =>
        timedOutHookAuthorizations(tx, until, BATCH_SIZE),
      )
      for (const uuid of uuids) {
        await ctx.db.transact(businessId, (tx) => applyTimeoutFallback(ctx, tx, uuid))
      }
      return uuids.length
    },
  }
}

/** A card reads Expired without this job (`statusAt`). The job writes its event, with the time of the expiry. */
function cardExpiry(ctx: CardsContext): Job {
  return {
    name: CARD_EXPIRY,
    clock: 'business',
    domain: 'cards',
    nextRunAt: nextCardExpiry,
    run: (run) => ctx.db.transact(run.businessId, (tx) => expireCards(ctx, tx, run)),
  }
}

async function expireCards(ctx: CardsContext, tx: Tx, { until, timeOf }: JobRun): Promise<number> {
  const ids = await expiredCardIds(tx, until, BATCH_SIZE)
  const locked = await lockCardsToChange(tx, ids)
  const expired = [...locked.values()]
    .filter(({ card }) => card.status !== 'Expired' && statusAt(card, until) === 'Expired')
    .map((lockedCard) => ({
      ...lockedCard,
      card: { ...lockedCard.card, status: 'Expired' as const },
      at: cardTime(lockedCard.usage, timeOf(lockedCard.card.expiresAt)),
    }))
  await Promise.all(expired.map(({ card, at }) => updateCard(tx, card, at)))
  await ctx.events.append(
    tx,
    expired.map((view) => cardEvent(ctx, 'card.status_changed', view)),
  )
  return ids.length
}

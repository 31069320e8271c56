import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import { listAuthorizations } from '../storage/authorization.repository.ts'
import { findCards, listCards } from '../storage/card.repository.ts'
import type { Card } from '../cards/card.ts'
import { errors } from './errors.ts'
import { findCardIdOfLimit, findLimits, listLimitChanges } from '../storage/limit.repository.ts'
import type { CardsDependencies } from '../dependencies.ts'
import { type CardWithLimits, renderAuthorization, renderCard, renderLimitChange } from './render.ts'
import { findUsages } from '../storage/usage.repository.ts'

export async function cardById(
  deps: CardsDependencies,
  caller: Caller,
  id: string,
): Promise<{ card: object }> {
  return deps.db.transact(caller.businessId, async (tx) => {
    const card = (await findCards(tx, [id])).get(id)
    if (card === undefined) throw errors.card_not_found()
    const [cardWithLimits] = await withLimits(tx, [card])
    if (cardWithLimits === undefined) throw errors.card_not_found()
    return { card: renderCard(cardWithLimits, tx.now) }
  })
}

export async function cardsPage(
  deps: CardsDependencies,
  caller: Caller,
  request: PageRequest,
): Promise<object> {
  return deps.db.transact(caller.businessId, async (tx) => {
    const listed = await listCards(tx, request)
    const { rows, page } = renderPage(
      request,
      await withLimits(tx, listed),
      ({ card }) => ({ at: card.createdAt, id: card.id }),
      (card) => renderCard(card, tx.now),
    )
    return { cards: rows, page }
  })
}

export async function authorizationsPage(
  deps: CardsDependencies,
  caller: Caller,
  cardId: string,
  request: PageRequest,
): Promise<object> {
  return deps.db.transact(caller.businessId, async (tx) => {
    const [cards, listed] = await Promise.all([
      findCards(tx, [cardId]),
      listAuthorizations(tx, cardId, request),
    ])
    if (!cards.has(cardId)) throw errors.card_not_found()
    const { rows, page } = renderPage(
      request,
      listed,
      ({ createdAt, uuid }) => ({ at: createdAt, id: uuid }),
      renderAuthorization,
    )
    return { authorizations: rows, page }
  })
}

/**
 * @param id the id of a card or of a limit
 * @param limitId filters the history; a limit of another card has no entries
 * @throws 404 `id` is neither a card nor a limit
 */
export async function limitHistory(
  deps: CardsDependencies,
  caller: Caller,
  id: string,
  limitId: string | undefined,
  request: PageRequest,
): Promise<object> {
  return deps.db.transact(caller.businessId, async (tx) => {
    const [cards, cardOfLimit] = await Promise.all([findCards(tx, [id]), findCardIdOfLimit(tx, id)])
    const cardId = cards.has(id) ? id : cardOfLimit
    if (cardId === null) throw errors.card_limit_not_found({ message: 'There is no such card or limit.' })
    const isLimit = cardOfLimit !== null
    const isOtherLimit = isLimit && limitId !== undefined && limitId !== id
    const changes = isOtherLimit
      ? []
      : await listLimitChanges(tx, cardId, isLimit ? id : (limitId ?? null), request)
    const { rows, page } = renderPage(
      request,
      changes,
      (change) => ({ at: change.createdAt, id: change.id }),
      renderLimitChange,
    )
    return { limit_history: rows, page }
  })
}

async function withLimits(tx: Tx, cards: readonly Card[]): Promise<CardWithLimits[]> {
  const ids = cards.map((card) => card.id)
  const [limits, usages] = await Promise.all([findLimits(tx, ids), findUsages(tx, ids)])
  return cards.map((card) => {
    const usage = usages.get(card.id)
    if (usage === undefined) throw new Error(`card ${card.id} has no row in card_usage`)
    return { card, limits: limits.get(card.id) ?? [], usage }
  })
}

import sql from 'sql-template-tag'
import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { FilterFields } from '#platform/filter/filter-sql'
import type { Tx } from '#platform/postgres/database'
import { type PageRequest, renderPage } from '#platform/http/validation/list'
import { listAuthorizations } from '../storage/authorization.repository.ts'
import { findCards, listCards } from '../storage/card.repository.ts'
import type { Card } from '../cards/card.ts'
import { CARD_STATUSES } from '../cards/card.states.ts'
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

export const CARD_FIELDS: FilterFields = {
  id: { type: 'text', column: sql`id`, prefix: true },
  reference_id: { type: 'text', column: sql`reference_id`, prefix: true },
  p_user_id: { type: 'text', column: sql`p_user_id`, prefix: true },
  status: { type: 'enum', column: sql`status`, values: CARD_STATUSES },
  type: { type: 'text', column: sql`type` },
  last_4_digits: { type: 'text', column: sql`last_4` },
  created_at: { type: 'time', column: sql`created_at` },
}

export async function cardsPage(
  deps: CardsDependencies,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<object> {
  const { timeZone } = await deps.businesses.profile(businessId)
  const condition = filter === undefined ? sql`true` : filterCondition(filter, CARD_FIELDS, timeZone)
  const read = async (tx: Tx): Promise<object> => {
    const listed = await listCards(tx, condition, request)
    const { rows, page } = renderPage(
      request,
      await withLimits(tx, listed),
      ({ card }) => ({ at: card.createdAt, id: card.id }),
      (card) => renderCard(card, tx.now),
    )
    return { cards: rows, page }
  }
  return deps.db.transact(businessId, read, { isSearch: filter !== undefined })
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

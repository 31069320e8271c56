import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { Tx } from '#platform/postgres/database'
import type { PageRequest } from '#platform/http/validation/list'
import type { Authorization } from '../model/authorization.ts'
import { listAuthorizations } from '../storage/authorization.repository.ts'
import { CARD_FIELDS, findCards, listCards } from '../storage/card.repository.ts'
import type { CardsContext, CardView } from '../context.ts'
import { errors } from '../errors.ts'
import {
  findCardIdOfLimit,
  findLimits,
  type LimitChange,
  listLimitChanges,
} from '../storage/limit.repository.ts'
import { findUsages } from '../storage/usage.repository.ts'
import type { Card } from '../model/card.ts'

export async function cardById(ctx: CardsContext, caller: Caller, id: string): Promise<CardView> {
  return ctx.db.transact(caller.businessId, async (tx) => {
    const card = (await findCards(tx, [id])).get(id)
    const [view] = card === undefined ? [] : await viewsOf(tx, [card])
    if (view === undefined) throw errors.card_not_found()
    return view
  })
}

export async function cardsOfPage(
  ctx: CardsContext,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<CardView[]> {
  const { timeZone } = await ctx.businesses.profile(businessId)
  const condition = filterCondition(filter, CARD_FIELDS, timeZone)
  const read = async (tx: Tx) => viewsOf(tx, await listCards(tx, condition, request))
  return ctx.db.transact(businessId, read, { isSearch: filter !== undefined })
}

export async function authorizationsOfPage(
  ctx: CardsContext,
  caller: Caller,
  cardId: string,
  request: PageRequest,
): Promise<Authorization[]> {
  return ctx.db.transact(caller.businessId, async (tx) => {
    const [cards, listed] = await Promise.all([
      findCards(tx, [cardId]),
      listAuthorizations(tx, cardId, request),
    ])
    if (!cards.has(cardId)) throw errors.card_not_found()
    return listed
  })
}

/**
 * @param id the id of a card or of a limit
 * @param limitId filters the history; a limit of another card has no entries
 * @returns up to `limit + 1` changes
 * @throws 404 `id` is neither a card nor a limit
 */
export async function limitChangesOfPage(
  ctx: CardsContext,
  caller: Caller,
  id: string,
  limitId: string | undefined,
  request: PageRequest,
): Promise<LimitChange[]> {
  return ctx.db.transact(caller.businessId, async (tx) => {
    const [cards, cardOfLimit] = await Promise.all([findCards(tx, [id]), findCardIdOfLimit(tx, id)])
    const cardId = cards.has(id) ? id : cardOfLimit
    if (cardId === null) throw errors.card_limit_not_found({ message: 'There is no such card or limit.' })
    const isLimit = cardOfLimit !== null
    const isOtherLimit = isLimit && limitId !== undefined && limitId !== id
    return isOtherLimit ? [] : listLimitChanges(tx, cardId, isLimit ? id : (limitId ?? null), request)
  })
}

async function viewsOf(tx: Tx, cards: readonly Card[]): Promise<CardView[]> {
  const ids = cards.map((card) => card.id)
  const [limits, usages] = await Promise.all([findLimits(tx, ids), findUsages(tx, ids)])
  return cards.map((card) => {
    const usage = usages.get(card.id)
    if (usage === undefined) throw new Error(`card ${card.id} has no row in card_usage`)
    return { card, limits: limits.get(card.id) ?? [], usage, at: tx.now }
  })
}

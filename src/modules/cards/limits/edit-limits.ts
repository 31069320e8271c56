import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import { parseLimitAmount } from '../requests/amounts.ts'
import { errors } from '../errors.ts'
import type { CardLimit } from '../model/limit.ts'
import { newLimit, requireDistinctPeriods } from '../requests/limits.ts'
import { insertLimits, updateLimits } from '../storage/limit.repository.ts'
import { lockCardToChange, type LockedCard } from '../cards/lock-card.ts'
import type { CardsContext, CardView } from '../context.ts'
import type { LimitEdit, NewLimit } from '../model/requests.ts'
import { cardEvent } from '../card-events.ts'

/**
 * Edits all named limits or none, with one history entry for each (reference/cards#limit-history).
 * @throws 404 unknown card, or a limit of another card; 422 another period, an invalid amount, a limit named twice
 */
export async function editLimits(
  ctx: CardsContext,
  caller: Caller,
  cardId: string,
  edits: readonly LimitEdit[],
  remark: string,
): Promise<CardView> {
  return once(ctx.db, caller, async (tx) => {
    const locked = await lockCardToChange(tx, cardId)
    const { at } = locked
    const edited = edits.map((edit, index) => editedLimit(locked, edit, `limits[${index}]`))
    requireDistinctPeriods(edited, 'limits')
    const byId = new Map(edited.map((limit) => [limit.id, limit]))
    await updateLimits(tx, edited, remark, at)
    const limits = locked.limits.map((limit) => byId.get(limit.id) ?? limit)
    const changed = { ...locked, limits }
    await ctx.events.append(tx, [cardEvent(ctx, 'card.limit_changed', changed)])
    return changed
  })
}

function editedLimit(locked: LockedCard, edit: LimitEdit, param: string): CardLimit {
  const limit = locked.limits.find(({ id }) => id === edit.id)
  if (limit === undefined) throw errors.card_limit_not_found({ param: `${param}.id` })
  if (limit.period !== edit.period) {
    throw errors.card_limit_period_differs({
      param: `${param}.period`,
      message: `The limit's period is ${limit.period}, and a limit's period cannot change.`,
    })
  }
  return {
    ...limit,
    amountMinor: parseLimitAmount(locked.card.currency, edit.limit_amount, `${param}.limit_amount`),
    status: edit.status ?? limit.status,
    effectiveSince: locked.at,
  }
}

export async function addLimit(
  ctx: CardsContext,
  caller: Caller,
  cardId: string,
  request: NewLimit,
): Promise<CardView> {
  return once(ctx.db, caller, async (tx) => {
    const locked = await lockCardToChange(tx, cardId)
    const { at } = locked
    if (locked.limits.some(({ period }) => period === request.period)) {
      throw errors.card_limit_exists({ param: 'limit.period' })
    }
    const limit = newLimit(locked.card, request, 'limit', at)
    const changed = { ...locked, limits: [...locked.limits, limit] }
    await insertLimits(tx, [limit])
    await ctx.events.append(tx, [cardEvent(ctx, 'card.limit_changed', changed)])
    return changed
  })
}

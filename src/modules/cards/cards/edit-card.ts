import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { once } from '#platform/idempotency/idempotency'
import { replaceTerms } from '#platform/search/term-index'
import { editMetadata } from '#platform/http/validation/metadata'
import { type Card, endOfValidity, statusAt } from '../model/card.ts'
import { updateCard } from '../storage/card.repository.ts'
import { CARD_EXPIRY } from '../job-names.ts'
import { dailyWindow, monthlyWindow } from '../model/limit-windows.ts'
import { lockCardToChange, type LockedCard } from './lock-card.ts'
import type { CardsContext, CardView } from '../context.ts'
import { requireDistinctPeriods } from '../requests/limits.ts'
import { parseZone } from '../requests/time-zone.ts'
import { cardEvent } from '../card-events.ts'
import type { Usage } from '../model/usage.ts'
import { CARD_TITLES } from '../storage/search.repository.ts'
import type { EditRequest } from '../model/requests.ts'
import { sumUsage, updateUsages } from '../storage/usage.repository.ts'

/**
 * A new time zone moves the limit windows; their usage is computed again from the authorizations' times.
 * @throws 404; 422 unknown time zone, or a count limit's period named twice
 */
export async function editCard(
  ctx: CardsContext,
  caller: Caller,
  id: string,
  request: EditRequest,
): Promise<CardView> {
  const zone = request.time_zone === undefined ? undefined : parseZone(request.time_zone)
  requireDistinctPeriods(request.spending_controls?.count_limits, 'card.spending_controls.count_limits')
  return once(ctx.db, caller, async (tx) => {
    const locked = await lockCardToChange(tx, id)
    const { at } = locked
    const zoneChanges = zone !== undefined && zone !== locked.card.timeZone
    const card: Card = {
      ...locked.card,
      // The expiry job may run a moment late, and in the new zone the card's month may not have ended.
      status: statusAt(locked.card, at),
      title: request.title ?? locked.card.title,
      spendingControls: request.spending_controls ?? locked.card.spendingControls,
      metadata: editMetadata(locked.card.metadata, request.metadata, 'card.metadata'),
      ...(zoneChanges && {
        timeZone: zone,
        zoneSince: at,
        expiresAt: endOfValidity(locked.card.expirationDate, zone),
      }),
    }
    const update = () => updateCard(tx, card, at)
    await (request.title === undefined ? update() : replaceTerms(tx, CARD_TITLES, [id], update))
    const usage = zoneChanges ? await moveWindows(tx, locked, card) : locked.usage
    const edited = { ...locked, card, usage }
    if (card.status !== locked.card.status) {
      await ctx.events.append(tx, [cardEvent(ctx, 'card.status_changed', edited)])
    }
    return edited
  })
}

async function moveWindows(tx: Tx, locked: LockedCard, card: Card): Promise<Usage> {
  const { at } = locked
  const [day, month] = [dailyWindow(at, card.timeZone), monthlyWindow(at, card.timeZone)]
  const [daily, monthly] = await Promise.all([
    sumUsage(tx, card.id, day),
    sumUsage(tx, card.id, month),
    scheduleJob(tx, CARD_EXPIRY, card.expiresAt),
  ])
  const usage: Usage = {
    ...locked.usage,
    lastChangedAt: at,
    daily: { window: day, ...daily },
    monthly: { window: month, ...monthly },
  }
  await updateUsages(tx, [usage])
  return usage
}

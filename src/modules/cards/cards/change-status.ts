import { errorOf } from '#kernel/errors'
import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { once } from '#platform/idempotency/idempotency'
import { statusAt } from '../model/card.ts'
import { updateCard } from '../storage/card.repository.ts'
import { errors } from '../errors.ts'
import type { StatusRequest } from '../model/requests.ts'
import { decideStatus } from './decide-status.ts'
import { lockCardToChange } from './lock-card.ts'
import type { CardsContext, CardView } from '../context.ts'
import { cardEvent } from '../card-events.ts'

/**
 * Changes the status and the physical status, both or neither. Terminating a card keeps its holds.
 * @throws 400 no status in the request; 404; 409 a change that the tables do not allow
 */
export async function changeStatus(
  ctx: CardsContext,
  caller: Caller,
  id: string,
  request: StatusRequest,
): Promise<CardView> {
  if (request.status === undefined && request.physical_status === undefined) {
    throw platformErrors.missing_member({
      param: 'status',
      message: 'status is missing: send status, physical_status or both.',
    })
  }
  return once(ctx.db, caller, async (tx) => {
    const locked = await lockCardToChange(tx, id)
    const { at } = locked
    const card = decideStatus(locked.card, request, statusAt(locked.card, at))
    if ('refused' in card) throw errorOf(errors, card)
    await updateCard(tx, card, at)
    const changed = { ...locked, card }
    await ctx.events.append(tx, [cardEvent(ctx, 'card.status_changed', changed)])
    return changed
  })
}

import type { Caller } from '#platform/caller'
import { platformErrors } from '#platform/errors'
import { once } from '#platform/idempotency/idempotency'
import {
  type CardStatus,
  canChangeStatus,
  canChangePhysicalStatus,
  type PhysicalStatus,
} from '../model/card.states.ts'
import { type Card, statusAt } from '../model/card.ts'
import { updateCard } from '../storage/card.repository.ts'
import { errors } from '../errors.ts'
import { lockCardToChange } from './lock-card.ts'
import type { CardsContext, CardView } from '../context.ts'
import { cardEvent } from '../card-events.ts'

export interface StatusRequest {
  readonly status?: CardStatus
  readonly physical_status?: PhysicalStatus
  readonly remark?: string
}

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
    const card = changedCard(locked.card, request, statusAt(locked.card, at))
    await updateCard(tx, card, at)
    const changed = { ...locked, card }
    await ctx.events.append(tx, [cardEvent(ctx, 'card.status_changed', changed)])
    return changed
  })
}

function changedCard(card: Card, request: StatusRequest, from: CardStatus): Card {
  const { status = from, physical_status: physicalStatus = card.physicalStatus } = request
  if (request.status !== undefined && !canChangeStatus(from, request.status)) {
    throw statusConflict('status', from, request.status)
  }
  if (
    request.physical_status !== undefined &&
    !canChangePhysicalStatus(card.physicalStatus, request.physical_status)
  ) {
    throw statusConflict('physical_status', card.physicalStatus, request.physical_status)
  }
  return { ...card, status, physicalStatus, statusRemark: request.remark ?? '' }
}

function statusConflict(param: string, from: string, to: string): Error {
  return errors.card_status_conflict({ param, message: `${param} cannot change from ${from} to ${to}.` })
}

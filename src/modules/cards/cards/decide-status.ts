import type { Refused } from '#kernel/refusal'
import { type CardStatus, canChangePhysicalStatus, canChangeStatus } from '../model/card.states.ts'
import type { StatusRequest } from '../model/requests.ts'
import type { Card } from '../model/card.ts'

/** @param from the status at the time of the change */
export function decideStatus(
  card: Card,
  request: StatusRequest,
  from: CardStatus,
): Card | Refused<'card_status_conflict'> {
  const { status = from, physical_status: physicalStatus = card.physicalStatus } = request
  if (request.status !== undefined && !canChangeStatus(from, request.status)) {
    return conflict('status', from, request.status)
  }
  if (
    request.physical_status !== undefined &&
    !canChangePhysicalStatus(card.physicalStatus, request.physical_status)
  ) {
    return conflict('physical_status', card.physicalStatus, request.physical_status)
  }
  return { ...card, status, physicalStatus, statusRemark: request.remark ?? '' }
}

function conflict(param: string, from: string, to: string): Refused<'card_status_conflict'> {
  return { refused: 'card_status_conflict', param, message: `${param} cannot change from ${from} to ${to}.` }
}

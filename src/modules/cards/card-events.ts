import type { Instant } from '#kernel/clock'
import type { NewEvent } from '#platform/events/events'
import type { Authorization } from './model/authorization.ts'
import type { CardsContext, CardView } from './context.ts'

export type CardEvent =
  | `card.${'linked' | 'status_changed' | 'limit_changed'}`
  | `card.authorization.${'approved' | 'declined'}`

export function cardEvent(
  { present }: Pick<CardsContext, 'present'>,
  type: Exclude<CardEvent, `card.authorization.${string}`>,
  view: CardView,
): NewEvent {
  return { type, objectId: view.card.id, timestamp: view.at, data: present.card(view) }
}

export function authorizationEvent(
  { present }: Pick<CardsContext, 'present'>,
  authorization: Authorization,
  at: Instant,
): NewEvent {
  const approved = authorization.state !== 'declined'
  const type: CardEvent = approved ? 'card.authorization.approved' : 'card.authorization.declined'
  return {
    type,
    objectId: authorization.cardId,
    timestamp: at,
    data: present.authorization(authorization),
  }
}

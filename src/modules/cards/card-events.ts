import type { Instant } from '#kernel/clock'
import type { NewEvent } from '#platform/events/events'
import type { Authorization } from './authorizations/authorization.ts'
import type { CardEvent } from './events.ts'
import { type CardWithLimits, renderAuthorization, renderCard } from './api/render.ts'

export function cardEvent(
  type: Exclude<CardEvent, `card.authorization.${string}`>,
  card: CardWithLimits,
  at: Instant,
): NewEvent {
  return { type, objectId: card.card.id, timestamp: at, data: { card: renderCard(card, at) } }
}

export function authorizationEvent(authorization: Authorization, at: Instant): NewEvent {
  const approved = authorization.state !== 'declined'
  const type: CardEvent = approved ? 'card.authorization.approved' : 'card.authorization.declined'
  return {
    type,
    objectId: authorization.cardId,
    timestamp: at,
    data: { authorization: renderAuthorization(authorization) },
  }
}

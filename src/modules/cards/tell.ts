import type { Instant } from '#kernel/clock'
import type { NewEvent } from '#platform/events'
import type { Authorization } from './authorization.ts'
import { type CardWithLimits, renderAuthorization, renderCard } from './render.ts'

/** An event of a card, showing it as answers do. */
export function cardEvent(
  type: 'card.linked' | 'card.status_changed' | 'card.limit_changed',
  card: CardWithLimits,
  at: Instant,
): NewEvent {
  return { type, objectId: card.card.id, timestamp: at, data: { card: renderCard(card, at) } }
}

/** Told when the decision is final. Its sequence counts for the card. */
export function decisionEvent(authorization: Authorization, at: Instant): NewEvent {
  const approved = authorization.state !== 'declined'
  return {
    type: approved ? 'card.authorization.approved' : 'card.authorization.declined',
    objectId: authorization.cardId,
    timestamp: at,
    data: { authorization: renderAuthorization(authorization) },
  }
}

/** What is told of cards and of their authorizations (decisions, section 8). All are counted per card. */
export const CARD_EVENTS = [
  'card.linked',
  'card.status_changed',
  'card.limit_changed',
  'card.authorization.approved',
  'card.authorization.declined',
] as const
export type CardEvent = (typeof CARD_EVENTS)[number]

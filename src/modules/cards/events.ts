import { AuthorizationData, CardData } from './api/schemas.ts'

/** What is told of cards and of their authorizations (decisions, section 8), with the shape of `data`. All are counted per card. */
export const CARD_EVENTS = {
  'card.linked': CardData,
  'card.status_changed': CardData,
  'card.limit_changed': CardData,
  'card.authorization.approved': AuthorizationData,
  'card.authorization.declined': AuthorizationData,
} as const
export type CardEvent = keyof typeof CARD_EVENTS

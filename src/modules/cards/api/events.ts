import type { CardEvent } from '../card-events.ts'
import { AuthorizationData, CardData } from './schemas.ts'

export const CARD_EVENTS = {
  'card.linked': CardData,
  'card.status_changed': CardData,
  'card.limit_changed': CardData,
  'card.authorization.approved': AuthorizationData,
  'card.authorization.declined': AuthorizationData,
} as const satisfies Record<CardEvent, object>

import type { Refused } from '#kernel/refusal'
import type { CardStatus } from '../model/card.states.ts'
import type { Card } from '../model/card.ts'

/** @param status the status at the time of the link */
export function decideLink(
  card: Card,
  pUserId: string,
  status: CardStatus,
): Card | Refused<'card_linked_to_another_user' | 'card_not_linkable'> {
  if (card.pUserId === pUserId) return card
  if (card.pUserId !== null) return { refused: 'card_linked_to_another_user', param: 'p_user_id' }
  if (status !== 'Inactive') {
    const message = `The card is ${status}; only an Inactive card can be linked.`
    return { refused: 'card_not_linkable', message }
  }
  return { ...card, pUserId, status: 'Active' }
}

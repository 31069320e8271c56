import { encryptTo } from '#modules/businesses'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import { sealBinding } from './card-number.ts'
import { type Card, statusAt } from './card.ts'
import { findCardIdByReference, updateCard } from '../storage/card.repository.ts'
import { errors } from '../api/errors.ts'
import { lockCardToChange } from './lock-card.ts'
import type { CardsDependencies } from '../dependencies.ts'
import { renderLinkedCard } from '../api/render.ts'
import { cardEvent } from '../card-events.ts'

export interface LinkRequest {
  readonly card_reference_id: string
  readonly p_user_id: string
}

/**
 * Links a card to a user and makes it Active. Linking it to the same user again changes nothing (reference/cards#linking).
 * @throws 404 unknown reference id; 409 the card is linked to another user, or is no longer Inactive
 */
export async function linkCard(
  deps: CardsDependencies,
  caller: Caller,
  request: LinkRequest,
): Promise<object> {
  const key = await deps.businesses.encryptionKey(caller)
  return once(deps.db, caller, async (tx) => {
    const id = await findCardIdByReference(tx, request.card_reference_id)
    if (id === null) throw errors.card_not_found({ param: 'card_reference_id' })
    const locked = await lockCardToChange(tx, id)
    const { at } = locked
    const card = linkedCard(locked.card, request.p_user_id, statusAt(locked.card, at))
    if (card !== locked.card) {
      await updateCard(tx, card, at)
      await deps.events.append(tx, [cardEvent('card.linked', { ...locked, card }, at)])
    }
    if (key === null) return renderLinkedCard(card, undefined, at)
    const number = deps.keyring.open(card.sealedNumber, sealBinding(tx.businessId, card.id))
    return renderLinkedCard(card, await encryptTo(key, number), at)
  })
}

function linkedCard(card: Card, pUserId: string, status: Card['status']): Card {
  if (card.pUserId === pUserId) return card
  if (card.pUserId !== null) throw errors.card_linked_to_another_user({ param: 'p_user_id' })
  if (status !== 'Inactive') {
    throw errors.card_not_linkable({ message: `The card is ${status}; only an Inactive card can be linked.` })
  }
  return { ...card, pUserId, status: 'Active' }
}

import type { Instant } from '#kernel/clock'
import { errorOf } from '#kernel/errors'
import { encryptTo } from '#modules/businesses'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import { sealBinding } from './card-number.ts'
import { type Card, statusAt } from '../model/card.ts'
import { findCardIdByReference, updateCard } from '../storage/card.repository.ts'
import { errors } from '../errors.ts'
import { decideLink } from './decide-link.ts'
import { lockCardToChange } from './lock-card.ts'
import type { CardsContext } from '../context.ts'
import type { LinkRequest } from '../model/requests.ts'
import { cardEvent } from '../card-events.ts'

export interface LinkedCard {
  readonly card: Card
  readonly encryptedNumber: string | undefined
  readonly at: Instant
}

/**
 * Links a card to a user and makes it Active. Linking it to the same user again changes nothing (reference/cards#linking).
 * @throws 404 unknown reference id; 409 the card is linked to another user, or is no longer Inactive
 */
export async function linkCard(ctx: CardsContext, caller: Caller, request: LinkRequest): Promise<LinkedCard> {
  const key = await ctx.businesses.encryptionKey(caller)
  return once(ctx.db, caller, async (tx) => {
    const id = await findCardIdByReference(tx, request.card_reference_id)
    if (id === null) throw errors.card_not_found({ param: 'card_reference_id' })
    const locked = await lockCardToChange(tx, id)
    const { at } = locked
    const card = decideLink(locked.card, request.p_user_id, statusAt(locked.card, at))
    if ('refused' in card) throw errorOf(errors, card)
    if (card !== locked.card) {
      await updateCard(tx, card, at)
      await ctx.events.append(tx, [cardEvent(ctx, 'card.linked', { ...locked, card })])
    }
    if (key === null) return { card, encryptedNumber: undefined, at }
    const number = ctx.keyring.open(card.sealedNumber, sealBinding(tx.businessId, card.id))
    return { card, encryptedNumber: await encryptTo(key, number), at }
  })
}

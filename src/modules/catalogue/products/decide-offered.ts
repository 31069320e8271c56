import type { Refused } from '#kernel/refusal'
import type { OfferedItem, RecurringItem } from '../model/catalogue.ts'

export type OfferRefusal = Refused<'recurring_item_not_found' | 'product_archived' | 'price_superseded'>

/** Decides whether a plan that does not have the item yet may take it. */
export function decideOffered(offered: OfferedItem | undefined, param: string): RecurringItem | OfferRefusal {
  if (offered === undefined) return { refused: 'recurring_item_not_found', param }
  const { item, isArchived } = offered
  if (isArchived) return { refused: 'product_archived', param }
  if (item.supersededBy === null) return item
  return { refused: 'price_superseded', param, data: supersededData(item) }
}

export function supersededData({ supersededBy }: RecurringItem): object {
  return { price: { id: supersededBy } }
}

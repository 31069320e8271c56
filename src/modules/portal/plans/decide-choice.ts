import type { PlanChangeRequest } from '#modules/billing'

export type Choice = Pick<PlanChangeRequest, 'recurring_items' | 'replace'>

type Item = NonNullable<Choice['recurring_items']>[number]

/**
 * Returns the member that names a price which customers may not choose. What the plan has in the same quantity may stay.
 */
export function findForbiddenPrice(
  { recurring_items: items = [], replace = [] }: Choice,
  priceIds: readonly string[],
  before: readonly Item[],
): string | undefined {
  const allowed = new Set(priceIds)
  const stays = (wanted: Item) =>
    before.some(
      ({ recurring_item_id: id, quantity }) =>
        id === wanted.recurring_item_id && quantity === wanted.quantity,
    )
  const item = items.findIndex((one) => !allowed.has(one.recurring_item_id) && !stays(one))
  if (item !== -1) return `change.recurring_items[${item}].recurring_item_id`
  const replaced = replace.findIndex(({ to }) => !allowed.has(to))
  return replaced === -1 ? undefined : `change.replace[${replaced}].to`
}

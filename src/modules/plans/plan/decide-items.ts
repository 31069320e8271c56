import type { Refused } from '#kernel/refusal'
import type { CycleItem } from '#modules/catalogue'

/** All items of a plan have one currency, and all or none of their prices include tax. */
export function refuseMixedItems(
  cycles: readonly (readonly CycleItem[])[],
): Refused<'plan_currency_mixed' | 'tax_behavior_mixed'> | null {
  const priced = cycles.flatMap((cycle, position) =>
    cycle.map(({ item }, index) => ({
      item,
      param: `plan.recurring_cycles[${position}].recurring_items[${index}].recurring_item_id`,
    })),
  )
  const first = priced[0]?.item
  const otherCurrency = priced.find(({ item }) => item.price.currency !== first?.price.currency)
  if (otherCurrency !== undefined) return { refused: 'plan_currency_mixed', param: otherCurrency.param }
  const otherTax = priced.find(({ item }) => item.taxBehavior !== first?.taxBehavior)
  return otherTax === undefined ? null : { refused: 'tax_behavior_mixed', param: otherTax.param }
}

import { covers } from '../amounts/order-lines.ts'
import type { CouponTerms, CycleItem } from '#modules/catalogue'
import type { Cycle } from '../model/plan.ts'

/** Which items a change keeps as they are, and which it prices anew. */

export function isSameList(before: readonly CycleItem[], after: readonly CycleItem[]): boolean {
  return before.length === after.length && keptItems(before, after).every((index) => index !== null)
}

/** Returns, for each item after the change, the position of the same item in the same quantity before; null for a new one. */
export function keptItems(before: readonly CycleItem[], after: readonly CycleItem[]): (number | null)[] {
  const free = new Set(before.keys())
  return after.map(({ item, quantity }) => {
    const found = [...free].find(
      (index) => before[index]?.item.id === item.id && before[index].quantity === quantity,
    )
    if (found === undefined) return null
    free.delete(found)
    return found
  })
}

/** The fixed discounts of a period, each with the products that it covers. */
export function fixedOf(
  { discount }: Cycle,
  coupons: readonly CouponTerms[],
): Pick<CouponTerms, 'productIds'>[] {
  const fixed = coupons.filter(({ off }) => off.type === 'fixed_amount')
  return discount?.type === 'fixed_amount' ? [{ productIds: null }, ...fixed] : fixed
}

/** An item that stays is priced anew where it shares a fixed amount with one that changes, because its share changes, too. */
export function withoutShared(
  kept: readonly (number | null)[],
  before: readonly CycleItem[],
  after: readonly CycleItem[],
  fixed: readonly Pick<CouponTerms, 'productIds'>[],
): readonly (number | null)[] {
  const changed = [
    ...before.filter((_, index) => !kept.includes(index)),
    ...after.filter((_, index) => kept[index] === null),
  ]
  const shared = fixed.filter((one) => changed.some(({ item }) => covers(one, item.productId)))
  const next = kept.map((index, position) => {
    const productId = after[position]?.item.productId ?? null
    return shared.some((one) => covers(one, productId)) ? null : index
  })
  return next.every((index, position) => index === kept[position])
    ? kept
    : withoutShared(next, before, after, fixed)
}

/** The coupons that lower an item which is charged. @param lowering those that lower any item */
export function loweringCharges(
  coupons: readonly CouponTerms[],
  lowering: readonly string[],
  items: readonly CycleItem[],
  kept: readonly (number | null)[],
): string[] {
  const charged = items.filter((_, index) => kept[index] === null)
  return lowering.filter((id) => {
    const coupon = coupons.find((one) => one.id === id)
    return coupon !== undefined && charged.some(({ item }) => covers(coupon, item.productId))
  })
}

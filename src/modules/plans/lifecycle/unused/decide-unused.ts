import { toRfc3339 } from '#kernel/clock'
import { Money, sumMoney } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import { billLines } from '../../amounts/order-lines.ts'
import type { CycleItem, Line } from '#modules/catalogue'
import { taxationOf } from '../../amounts/tax-lines.ts'
import { GrossCredits } from '../../amounts/gross-credits.ts'
import { type ChangeGround, type CurrentPeriod, worthOf } from '../../changes/price-change.ts'
import { lengthOf, partOf } from '../../amounts/prorate.ts'
import type { ChangedPeriod } from '../../model/plan-change.ts'
import type { PlanAggregate } from '../../model/plan.ts'

/**
 * - `items`: Of the current cycle.
 * - `orders`: Those of the period that are open.
 */
interface UnusedGround extends Pick<ChangeGround, 'left' | 'orders' | 'now'> {
  readonly aggregate: Pick<PlanAggregate, 'plan' | 'taxGround'>
  readonly items: readonly CycleItem[]
  readonly period: CurrentPeriod
  readonly billed: ChangedPeriod
}

/**
 * - `changedPeriod`: Says that nothing of the period is left to take back, in case the plan is reactivated and then changed.
 * - `pendingLines`: Lines that are still to be billed. If they sum below zero, the sum is given back instead.
 */
export interface Unused {
  readonly changedPeriod: ChangedPeriod
  readonly credits: readonly { readonly orderId: string; readonly amount: Money }[]
  readonly refund: Money
  readonly pendingLines: readonly Line[]
}

/**
 * Decides how the unused part of a period is given back. Of each item it is what was billed less what notes credited, in
 * proportion to the local days that are left of the line's period. It first lowers the unpaid part of the period's orders
 * (reference/billing-lifecycle#cancel-unused).
 */
export function decideUnused({
  aggregate: { plan, taxGround },
  items,
  period: { end },
  billed,
  left,
  orders,
  now,
}: UnusedGround): Unused | Refused<'payment_in_progress'> {
  const {
    zone,
    credit: { currency },
    pendingLines,
  } = plan
  const given = new GrossCredits({ taxGround })
  const remaining = lengthOf(now, end, 'day', zone)
  const parts = billed.parts.flatMap((part, index) => {
    const item = items[index]
    if (part === null || item === undefined) return []
    const isWaiting = part.orderId === null
    const net = partOf(worthOf(part, left), remaining, lengthOf(part.from, end, 'day', zone))
    return [{ amount: isWaiting ? net : given.add(part, item, net), item, isWaiting }]
  })
  const period = { start: toRfc3339(now), end: toRfc3339(end) }
  const waiting = parts.flatMap(({ amount, item: { item, quantity }, isWaiting }): Line[] => {
    if (!isWaiting || amount.isZero()) return []
    const line = { kind: 'proration_credit', period, recurringItemId: item.id, units: quantity } as const
    const { label, taxCategory, taxBehavior } = item
    return [{ label, price: amount.negated(), quantity: 1, billed: line, taxCategory, taxBehavior }]
  })
  const lines = [...pendingLines, ...waiting]
  const { total, toCredit } = billLines({
    items: [],
    discount: null,
    waiting: lines,
    taxation: taxationOf({ plan, taxGround }, now),
    credit: Money.zero(currency),
  })
  const toBill = total.minus(toCredit)
  let refund = sumMoney(
    currency,
    parts.flatMap(({ amount, isWaiting }) => (isWaiting ? [] : [amount])),
  )
  if (toBill.isNegative()) refund = refund.minus(toBill)
  const credits: { orderId: string; amount: Money }[] = []
  for (const [orderId, { due, isBusy }] of orders) {
    if (!refund.isPositive() || !due.isPositive()) continue
    if (isBusy) return { refused: 'payment_in_progress' }
    const amount = refund.lessThan(due) ? refund : due
    credits.push({ orderId, amount })
    refund = refund.minus(amount)
  }
  return {
    changedPeriod: { start: billed.start, pricedFrom: now, parts: [], orders: billed.orders },
    credits,
    refund,
    pendingLines: toBill.isNegative() ? [] : lines,
  }
}

import { type Instant, toRfc3339 } from '#kernel/clock'
import type { NewOrder, Timeout } from '#modules/payments'
import { type CycleItem, pricedItem } from '../model/catalogue.ts'
import { type BilledLines, billLines, type Line } from './order-lines.ts'
import { cycleAt, type PlanAggregate, type Plan } from '../model/plan.ts'
import type { PeriodToBill } from './timeline.ts'

export function billedLinesOf(
  aggregate: PlanAggregate,
  period: PeriodToBill,
  items: readonly CycleItem[],
): BilledLines {
  const cycle = cycleAt(aggregate, period.cyclePosition)
  return billLines({
    items: linesOfPeriod(items, period),
    discount: cycle.discount,
    stub: period.stub,
    credit: aggregate.plan.credit,
  })
}

export function linesOfPeriod(
  items: readonly CycleItem[],
  { start, end }: Pick<PeriodToBill, 'start' | 'end'>,
): Line[] {
  const period = { start: toRfc3339(start), end: toRfc3339(end) }
  return items.map((item) => ({
    ...pricedItem(item),
    productId: item.item.productId,
    billed: { kind: 'item', period, recurringItemId: item.item.id, units: item.quantity },
  }))
}

export function newOrderOf(
  plan: Plan,
  orderId: string,
  suffix: number,
  billed: BilledLines,
  at: Instant,
): NewOrder {
  return {
    id: orderId,
    source: 'recurring',
    type: 'recurring',
    referenceNumber: referenceOf(plan, suffix),
    initialTotal: billed.total,
    lineItems: billed.lines.map((line) => ({ ...line, purchasableType: 'Charge', purchaseId: null })),
    customerUuid: plan.customerUuid,
    planId: plan.id,
    planMetadata: plan.metadata,
    returnUrl: plan.redirectUrl,
    timeout: timeoutOf(plan),
    at,
  }
}

export function referenceOf(plan: Plan, suffix: number): string {
  return `${plan.referenceNumber ?? plan.id}-${suffix}`
}

/** The API shows the seconds as an integer on plans and as a string on orders. */
function timeoutOf(plan: Plan): Timeout | null {
  if (plan.timeout === null) return null
  return { timer: String(plan.timeout.seconds), seconds: plan.timeout.seconds, url: plan.timeout.url }
}

import type { Instant } from '#kernel/clock'
import type { NewOrder, Timeout } from '#modules/payments'
import { type CycleItem, pricedItem } from '../model/catalogue.ts'
import { type BilledLines, billLines } from './order-lines.ts'
import { cycleAt, type PlanAggregate, type Plan } from '../model/plan.ts'
import type { PeriodToBill } from './timeline.ts'

export function billedLinesOf(
  aggregate: PlanAggregate,
  period: PeriodToBill,
  items: readonly CycleItem[],
): BilledLines {
  const cycle = cycleAt(aggregate, period.cyclePosition)
  return billLines({
    items: items.map(pricedItem),
    discount: cycle.discount,
    stub: period.stub,
    credit: aggregate.plan.credit,
  })
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
    lineItems: billed.lines.map(({ label, price, quantity }) => ({
      purchasableType: 'Charge',
      purchaseId: null,
      price,
      quantity,
      label,
    })),
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

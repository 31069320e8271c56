import { type Instant, toRfc3339 } from '#kernel/clock'
import { derivedId } from '#kernel/ids'
import type { BillingKind, NewOrder, Timeout } from '#modules/payments'
import { type CycleItem, type Line, pricedItem } from '#modules/catalogue'
import type { BilledLines } from './order-lines.ts'
import type { Plan, PlanAggregate } from '../model/plan.ts'
import type { PeriodToBill } from '../timeline/timeline.ts'

export function linesOfPeriod(
  items: readonly CycleItem[],
  { start, end }: Pick<PeriodToBill, 'start' | 'end'>,
): Line[] {
  const period = { start: toRfc3339(start), end: toRfc3339(end) }
  return items.map((item) => ({
    ...pricedItem(item),
    productId: item.item.productId,
    taxCategory: item.item.taxCategory,
    taxBehavior: item.item.taxBehavior,
    billed: { kind: 'item', period, recurringItemId: item.item.id, units: item.quantity },
  }))
}

export function newOrderOf(
  plan: Plan,
  {
    orderId,
    kind,
    lines,
  }: { readonly orderId: string; readonly kind: BillingKind; readonly lines: BilledLines },
  suffix: number,
  at: Instant,
): NewOrder {
  return {
    id: orderId,
    source: 'recurring',
    type: 'recurring',
    referenceNumber: referenceOf(plan, suffix),
    initialTotal: lines.total,
    lineItems: lines.lines.map((line) => ({ ...line, purchasableType: 'Charge', purchaseId: null })),
    customerUuid: plan.customerUuid,
    planId: plan.id,
    billingKind: kind,
    tax: lines.tax,
    planMetadata: plan.metadata,
    returnUrl: plan.redirectUrl,
    timeout: timeoutOf(plan),
    at,
  }
}

/** The order keeps its id when its reference is taken and it gets another suffix. */
export function nextOrderId({ plan }: Pick<PlanAggregate, 'plan'>, at: Instant): string {
  return derivedId('ord', at.epochMilliseconds, `${plan.id} ${plan.lastSuffix + 1}`)
}

export function referenceOf(plan: Plan, suffix: number): string {
  return `${plan.referenceNumber ?? plan.id}-${suffix}`
}

/** The API shows the seconds as an integer on plans and as a string on orders. */
function timeoutOf(plan: Plan): Timeout | null {
  if (plan.timeout === null) return null
  return { timer: String(plan.timeout.seconds), seconds: plan.timeout.seconds, url: plan.timeout.url }
}

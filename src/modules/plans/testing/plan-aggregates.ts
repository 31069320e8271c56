import type { BillingConfig } from '#kernel/billing-config'
import type { Instant } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { Money } from '#kernel/money'
import type { Discount, DunningPolicy } from '#modules/catalogue'
import {
  type Cycle,
  type PlanAggregate,
  NEW_CYCLE,
  NEW_PLAN,
  NEW_PLAN_ORDER,
  type Plan,
  type PlanOrder,
  withPlan,
} from '../model/plan.ts'
import type { PeriodToBill } from '../timeline/timeline.ts'

export const HKD = (text: string): Money => Money.ofDecimal('HKD', text)
export const at = (text: string): Instant => Temporal.Instant.from(text)

export const MONTHLY: BillingConfig = {
  billing_interval: 'month',
  interval_count: 1,
  billing_type: 'anniversary',
  billing_proration_enabled: false,
}

export interface CycleOptions {
  readonly config?: BillingConfig
  readonly billingCount?: number | null
  readonly discount?: Discount | null
}

export function newAggregate(options: {
  start: Instant
  zone?: string
  cycles?: readonly CycleOptions[]
  plan?: Partial<Plan>
  policy?: DunningPolicy
}): PlanAggregate {
  const { start, zone = 'Asia/Hong_Kong', cycles = [{}] } = options
  const id = newId('pln')
  const plan: Plan = {
    ...NEW_PLAN,
    id,
    name: 'Gold',
    referenceNumber: 'R',
    customerUuid: 'cus_1',
    customerReferenceNumber: 'C1',
    defaultCollectionMethod: 'charge_automatically',
    paymentRetryCount: 3,
    paymentRetryDayPeriod: 2,
    dunningPolicyId: null,
    gracePeriod: 7,
    callbackUrl: null,
    redirectUrl: null,
    timeout: null,
    note: null,
    description: null,
    metadata: null,
    credit: Money.zero('HKD'),
    zone,
    localTime: start.toZonedDateTimeISO(zone).toPlainTime(),
    startAt: start,
    createdAt: start,
    updatedAt: start,
    ...options.plan,
  }
  return {
    plan,
    policy: options.policy ?? null,
    cycles: cycles.map((cycle, position) => cycleOf(plan, cycle, position)),
    orders: [],
    coupons: [],
    taxGround: null,
    events: [],
  }
}

function cycleOf(plan: Plan, options: CycleOptions, position: number): Cycle {
  return {
    ...NEW_CYCLE,
    id: newId('rcy'),
    planId: plan.id,
    position,
    billingCount: options.billingCount ?? null,
    config: {
      ...(options.config ?? MONTHLY),
      id: newId('rbc'),
      description: null,
      createdAt: plan.createdAt,
    },
    discount: options.discount ?? null,
    description: null,
    createdAt: plan.createdAt,
    updatedAt: plan.createdAt,
  }
}

export function withNewOrder(
  aggregate: PlanAggregate,
  bill: PeriodToBill,
  credit: Money = Money.zero('HKD'),
): { aggregate: PlanAggregate; orderId: string } {
  const orderId = newId('ord')
  const suffix = aggregate.plan.lastSuffix + 1
  const order: PlanOrder = {
    ...NEW_PLAN_ORDER,
    orderId,
    planId: aggregate.plan.id,
    cyclePosition: bill.cyclePosition,
    suffix,
    state: 'open',
    credit,
    createdAt: bill.start,
  }
  const billed = withPlan(
    { ...aggregate, orders: [...aggregate.orders, order] },
    {
      lastSuffix: suffix,
      currentOrderId: orderId,
      credit: aggregate.plan.credit.minus(credit),
    },
  )
  return { aggregate: billed, orderId }
}

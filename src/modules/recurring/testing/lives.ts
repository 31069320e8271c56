import type { BillingConfig } from '#kernel/billing-config'
import type { Instant } from '#kernel/clock'
import { newId } from '#kernel/ids'
import { Money } from '#kernel/money'
import type { Discount } from '../order-lines.ts'
import { type Cycle, type Life, type Plan, type PlanOrder, withPlan } from '../plan.ts'
import type { PeriodToBill } from '../timeline.ts'

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

/** A life that has not begun, in Hong Kong unless told otherwise. */
export function lifeOf(options: {
  start: Instant
  zone?: string
  cycles?: readonly CycleOptions[]
  plan?: Partial<Plan>
}): Life {
  const { start, zone = 'Asia/Hong_Kong', cycles = [{}] } = options
  const id = newId('pln')
  const plan: Plan = {
    id,
    name: 'Gold',
    referenceNumber: 'R',
    customerUuid: 'cus_1',
    customerReferenceNumber: 'C1',
    defaultCollectionMethod: 'charge_automatically',
    paymentRetryCount: 3,
    paymentRetryDayPeriod: 2,
    gracePeriod: 7,
    callbackUrl: null,
    redirectUrl: null,
    timeout: null,
    note: null,
    description: null,
    credit: Money.zero('HKD'),
    zone,
    localTime: start.toZonedDateTimeISO(zone).toPlainTime(),
    startAt: start,
    state: 'upcoming',
    currentCycle: 0,
    lastSuffix: 0,
    currentOrderId: null,
    paused: false,
    uncollectible: false,
    writtenOff: false,
    suspendedAt: null,
    cancelAt: null,
    due: null,
    nextExecuteAt: null,
    createdAt: start,
    updatedAt: start,
    ...options.plan,
  }
  return {
    plan,
    cycles: cycles.map((cycle, position) => cycleOf(plan, cycle, position)),
    orders: [],
    events: [],
  }
}

function cycleOf(plan: Plan, options: CycleOptions, position: number): Cycle {
  return {
    id: newId('rcy'),
    planId: plan.id,
    position,
    state: 'upcoming',
    billingCount: options.billingCount ?? null,
    ordersCreated: 0,
    config: {
      ...(options.config ?? MONTHLY),
      id: newId('rbc'),
      description: null,
      createdAt: plan.createdAt,
    },
    discount: options.discount ?? null,
    description: null,
    start: null,
    nextPeriod: 0,
    endAt: null,
    createdAt: plan.createdAt,
    updatedAt: plan.createdAt,
  }
}

/** The life with an open order of a period, as billing makes it. */
export function withNewOrder(
  life: Life,
  bill: PeriodToBill,
  credit: Money = Money.zero('HKD'),
): { life: Life; orderId: string } {
  const orderId = newId('ord')
  const suffix = life.plan.lastSuffix + 1
  const order: PlanOrder = {
    orderId,
    planId: life.plan.id,
    cyclePosition: bill.position,
    suffix,
    state: 'open',
    usedUp: false,
    attempts: 0,
    attemptTransaction: null,
    attemptedAt: null,
    nextAttemptAt: null,
    waiting: false,
    voidAt: null,
    credit,
  }
  const billed = withPlan(
    { ...life, orders: [...life.orders, order] },
    {
      lastSuffix: suffix,
      currentOrderId: orderId,
      credit: life.plan.credit.minus(credit),
    },
  )
  return { life: billed, orderId }
}

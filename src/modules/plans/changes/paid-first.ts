import { earliestOf, type Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import { newRhythm, type OrderBill, withRhythm } from '../amounts/bill-next.ts'
import { withPeriodLowered } from '../amounts/lowering-coupons.ts'
import type { AwaitedPayment, PendingChange } from '../model/plan-change.ts'
import type { PlanItems, ReplacedCycles, ScheduledChange } from '../model/plan-items.ts'
import {
  currentCycle,
  isOpen,
  type PlanAggregate,
  type PlanOrder,
  withEvent,
  withOrder,
  withPlan,
} from '../model/plan.ts'
import { advance, nextTimelineAt } from '../timeline/timeline.ts'
import type { DecidedChange } from './decided-change.ts'
import type { WantedChange } from './price-change.ts'

/** Pure decisions about changes that take place only if their order is paid (reference/billing-changes#paid-first). */

/** Ends before acquirers forget the key of the charge, which they keep for 24 hours. */
const HOURS_TO_PAY = 23

/** Returns undefined if the change has nothing to pay, so that it takes place at once. */
export function orderToPayFirst({ order }: Pick<DecidedChange, 'order'>): OrderBill | undefined {
  return order !== null && order.lines.total.isPositive() ? order : undefined
}

/**
 * Whether another order of the plan is open. A credit of the change would lower it, and may do so only once the change has been
 * paid; by then the order may have been paid, too.
 */
export function hasOpenOrder(aggregate: PlanAggregate): boolean {
  return aggregate.orders.some(isOpen)
}

/** The plan waits until the order is paid, at most until its next period or its end. Only its credit changes. */
export function awaitPayment(
  before: PlanAggregate,
  { aggregate, effectiveAt, proration }: DecidedChange,
  wanted: Pick<WantedChange, 'items' | 'rhythm'>,
  order: { readonly bill: OrderBill; readonly reply: AwaitedPayment['reply'] },
): PlanAggregate {
  const { rhythm } = wanted
  const end = effectiveAt.add({ hours: HOURS_TO_PAY })
  const payment: AwaitedPayment = {
    orderId: order.bill.orderId,
    until: earliestOf([end, nextTimelineAt(before)]) ?? end,
    isAnnounced: false,
    reply: order.reply,
    proration: proration && {
      from: proration.from,
      remaining: proration.remaining,
      whole: proration.whole,
    },
    period: rhythm === null ? aggregate.plan.changedPeriod : null,
    lowering: loweredBy(before, aggregate),
  }
  const pendingChange: PendingChange = {
    at: effectiveAt,
    items: wanted.items.map(({ item, quantity }) => ({ itemId: item.id, quantity })),
    rhythm: rhythm && { configId: rhythm.config.id, billingCount: rhythm.billingCount },
    payment,
  }
  return withPlan(before, { credit: creditLeft(before, order.bill.lines.creditUsed), pendingChange })
}

function creditLeft({ plan }: PlanAggregate, used: Money): Money {
  return plan.credit.minus(used)
}

/** The coupons whose uses the order counts. */
function loweredBy(before: PlanAggregate, after: PlanAggregate): string[] {
  return after.coupons.flatMap((attached, index) => {
    const isCounted = attached.periodsLowered !== before.coupons[index]?.periodsLowered
    return isCounted ? [attached.coupon.id] : []
  })
}

/** How the order of such a change begins: it is not attempted again, and counts in no cycle before it is paid. */
export function waitingOrder(
  order: PlanOrder,
  { currentCycle: cyclePosition }: PlanAggregate['plan'],
  until: Instant,
): PlanOrder {
  return { ...order, cyclePosition, counted: false, nextAttemptAt: null, voidAt: until, paidFirst: 'waiting' }
}

export function awaitedPayment({ plan }: PlanAggregate, orderId: string): AwaitedPayment | undefined {
  const payment = plan.pendingChange?.payment
  return payment?.orderId === orderId ? payment : undefined
}

/** Writes the event of a change whose payment has not ended at once, so that receivers know that the change waits. */
export function announcePaidFirst(aggregate: PlanAggregate, orderId: string): PlanAggregate {
  const { pendingChange } = aggregate.plan
  const payment = awaitedPayment(aggregate, orderId)
  if (pendingChange === null || payment === undefined || payment.isAnnounced) return aggregate
  const announced = { ...pendingChange, payment: { ...payment, isAnnounced: true } }
  return withEvent(withPlan(aggregate, { pendingChange: announced }), { type: 'plan.change_scheduled' })
}

/** Removes the change of an order that is not paid. The order is being voided. */
export function dropPaidFirst(aggregate: PlanAggregate, orderId: string): PlanAggregate {
  const payment = awaitedPayment(aggregate, orderId)
  if (payment === undefined) return aggregate
  const dropped = withOrder(withPlan(aggregate, { pendingChange: null }), orderId, { paidFirst: 'dropped' })
  return payment.isAnnounced ? withEvent(dropped, { type: 'plan.change_removed' }) : dropped
}

/** The payment failed, so the job voids the order at once. */
export function withVoidAt(aggregate: PlanAggregate, orderId: string, at: Instant): PlanAggregate {
  return withOrder(aggregate, orderId, { voidAt: at })
}

export interface PaidChange {
  readonly aggregate: PlanAggregate
  readonly items: PlanItems
  readonly replaced: ReplacedCycles
}

/** The order is paid, so the change takes place as it was priced. */
export function applyPaidFirst(
  aggregate: PlanAggregate,
  items: PlanItems,
  { items: newItems, config }: ScheduledChange,
  orderId: string,
): PaidChange | undefined {
  const { pendingChange } = aggregate.plan
  const payment = awaitedPayment(aggregate, orderId)
  if (pendingChange === null || payment === undefined) return undefined
  const { at, rhythm } = pendingChange
  const paid = withEvent(
    withPlan(withOrder(aggregate, orderId, { paidFirst: 'applied' }), {
      pendingChange: null,
      pendingLines: [],
      changedPeriod: payment.period,
      currentOrderId: orderId,
    }),
    { type: 'plan.changed' },
  )
  const cycle = currentCycle(aggregate)
  if (rhythm === null || config === null) {
    const start = payment.period?.start ?? at
    return {
      aggregate: withPeriodLowered(paid, { start, at }, payment.lowering),
      items: items.with(cycle.position, newItems),
      replaced: { from: cycle.position, isRhythm: false },
    }
  }
  const next = newRhythm(cycle, config, rhythm.billingCount, at)
  const switched = withRhythm(paid, items, next, newItems, at)
  const { aggregate: begun, bill } = advance(switched.aggregate, at)
  if (bill === undefined) throw new Error(`the order ${orderId} bills no period`)
  const counted = withOrder(begun, orderId, { cyclePosition: bill.cyclePosition, counted: true })
  return {
    aggregate: withPeriodLowered(counted, { start: bill.start, at }, payment.lowering),
    items: switched.items,
    replaced: switched.replaced,
  }
}

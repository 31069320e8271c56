import { type Instant, isAfter } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { BillingKind } from '#modules/payments'
import { couponsOf, withPeriodLowered } from './lowering-coupons.ts'
import type { BillingConfigRecord, CycleItem } from '#modules/catalogue'
import type { CreditSource } from '../model/given-credit.ts'
import type { PlanItems, ReplacedCycles, ScheduledChange } from '../model/plan-items.ts'
import {
  type Cycle,
  currentCycle,
  hasEnded,
  isCountReached,
  NEW_CYCLE,
  type PlanAggregate,
  withEvent,
  withPlan,
} from '../model/plan.ts'
import { type BilledLines, billLines } from './order-lines.ts'
import { linesOfPeriod } from './period-order.ts'
import { taxationOf } from './tax-lines.ts'
import { advance, nextBoundary, type PeriodToBill, switchRhythm } from '../timeline/timeline.ts'

export interface Bill {
  readonly kind: BillingKind
  readonly counted: boolean
  readonly period: PeriodToBill
  readonly lines: BilledLines
}

/**
 * - `orderId`: Known before the order is made, because the record of what was billed for an item refers to it.
 * - `sources`: The orders whose money it gives to the plan's credit. If they are missing, the lines name these orders.
 */
export interface OrderBill extends Bill {
  readonly orderId: string
  readonly sources?: readonly CreditSource[]
}

export interface NextBill {
  readonly aggregate: PlanAggregate
  readonly items: PlanItems
  readonly replaced?: ReplacedCycles | undefined
  readonly bill: Bill | undefined
}

/**
 * Moves a plan along its timeline until `until`, or until the first period to bill. A change that waited for the end of the
 * period takes effect before the new period. The returned plan has the credit, waiting lines and coupons of after the bill.
 * @param at the time of the order
 */
export function billNext(
  aggregate: PlanAggregate,
  items: PlanItems,
  until: Instant,
  scheduled?: ScheduledChange,
  at: Instant = until,
): NextBill {
  const changed = applyScheduled(aggregate, items, until, scheduled)
  const step = advance(changed.aggregate, until)
  const { replaced } = changed
  if (step.bill === undefined)
    return { ...billWaiting(step.aggregate, until), items: changed.items, replaced }
  const lines = billPeriod(step.aggregate, step.bill, changed.items[step.bill.cyclePosition] ?? [], at)
  const bill: Bill = { kind: 'period', counted: true, period: step.bill, lines }
  const { start } = step.bill
  const booked = withPeriodLowered(withBooked(step.aggregate, lines), { start, at }, lines.lowering)
  return { aggregate: booked, items: changed.items, replaced, bill }
}

export function billPeriod(
  aggregate: PlanAggregate,
  period: PeriodToBill,
  items: readonly CycleItem[],
  at: Instant,
): BilledLines {
  const { plan, cycles } = aggregate
  const discount = cycles[period.cyclePosition]?.discount ?? null
  return billLines({
    items: linesOfPeriod(items, period),
    discount,
    coupons: couponsOf(aggregate, items, discount, { start: period.start, at }),
    stub: period.stub,
    waiting: plan.pendingLines,
    taxation: taxationOf(aggregate, at),
    credit: plan.credit,
  })
}

/** If no order of a period will take waiting lines, they get an order of their own at the end of the plan. */
export function billWaiting(
  aggregate: PlanAggregate,
  at: Instant,
): { readonly aggregate: PlanAggregate; readonly bill: Bill | undefined } {
  const { plan } = aggregate
  const { position, endAt } = currentCycle(aggregate)
  if (plan.pendingLines.length === 0 || (endAt === null && !hasEnded(plan)))
    return { aggregate, bill: undefined }
  const lines = billLines({
    items: [],
    discount: null,
    waiting: plan.pendingLines,
    taxation: taxationOf(aggregate, at),
    credit: plan.credit,
  })
  const start = endAt ?? at
  const period = { cyclePosition: position, start, end: start, stub: undefined }
  return {
    aggregate: withBooked(aggregate, lines),
    bill: { kind: 'change', counted: false, period, lines },
  }
}

export function withBooked(aggregate: PlanAggregate, { creditUsed, toCredit }: BilledLines): PlanAggregate {
  const { credit, pendingLines } = aggregate.plan
  return withPlan(aggregate, {
    credit: credit.minus(creditUsed).plus(toCredit),
    ...(pendingLines.length > 0 && { pendingLines: [] }),
  })
}

function applyScheduled(
  aggregate: PlanAggregate,
  items: PlanItems,
  until: Instant,
  scheduled: ScheduledChange | undefined,
): { aggregate: PlanAggregate; items: PlanItems; replaced?: ReplacedCycles } {
  const { pendingChange } = aggregate.plan
  const boundary = nextBoundary(aggregate)
  if (pendingChange === null || boundary === null || isAfter(boundary, until)) return { aggregate, items }
  if (pendingChange.payment !== null) return { aggregate, items }
  if (isAfter(pendingChange.at, boundary)) return { aggregate, items }
  if (scheduled === undefined) throw new Error(`the change of plan ${aggregate.plan.id} was not read`)
  const changed = withEvent(withPlan(aggregate, { pendingChange: null }), { type: 'plan.changed' })
  const cycle = currentCycle(aggregate)
  const { items: newItems } = scheduled
  if (scheduled.config !== null) {
    const next = newRhythm(cycle, scheduled.config, pendingChange.rhythm?.billingCount ?? null, boundary)
    return withRhythm(changed, items, next, newItems, boundary)
  }
  const isNextCycle = isCountReached(cycle) && aggregate.cycles[cycle.position + 1] !== undefined
  const position = isNextCycle ? cycle.position + 1 : cycle.position
  return {
    aggregate: changed,
    items: items.with(position, newItems),
    replaced: { from: position, isRhythm: false },
  }
}

/** The discount of the old cycle goes on in the new one. */
export function newRhythm(
  { planId, discount, description }: Cycle,
  config: BillingConfigRecord,
  billingCount: number | null,
  at: Instant,
): Cycle {
  return {
    ...NEW_CYCLE,
    id: newId('rcy'),
    planId,
    position: 0,
    billingCount,
    config,
    discount,
    description,
    createdAt: at,
    updatedAt: at,
  }
}

export function withRhythm(
  aggregate: PlanAggregate,
  items: PlanItems,
  cycle: Cycle,
  newItems: readonly CycleItem[],
  at: Instant,
) {
  const from = aggregate.plan.currentCycle + 1
  return {
    aggregate: switchRhythm(aggregate, cycle, at),
    items: items.toSpliced(from, 0, newItems),
    replaced: { from, isRhythm: true },
  }
}

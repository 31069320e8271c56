import { billingDate, wholePeriodStart } from '#kernel/calendar'
import { type Instant, isAfter, isBefore, toRfc3339 } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { LeftOfLine } from '#modules/invoices'
import { lineTotal } from '#modules/payments'
import type { Refused } from '#kernel/refusal'
import type { PlanItems } from '../model/plan-items.ts'
import { deductFromItems } from '../amounts/order-lines.ts'
import { type BillingConfigRecord, type CouponTerms, type CycleItem, type Line } from '#modules/catalogue'
import { linesOfPeriod } from '../amounts/period-order.ts'
import type { PaidPeriod } from '../amounts/given-credit.ts'
import { scheduleOf } from '../model/cycle-schedule.ts'
import { type Cycle, currentCycle, type PlanAggregate } from '../model/plan.ts'
import type { BilledPart, ChangedPeriod } from '../model/plan-change.ts'
import { GrossCredits, netOfGross } from '../amounts/gross-credits.ts'
import { loweringCharges } from './kept-items.ts'
import { lengthOf, partOf, type ProrationUnit } from '../amounts/prorate.ts'

/** A requested change, with the objects that its ids name. */
export interface WantedChange {
  readonly items: readonly CycleItem[]
  readonly rhythm: { readonly config: BillingConfigRecord; readonly billingCount: number | null } | null
  readonly at: 'now' | 'period_end'
  readonly proration: 'now' | 'next_order' | 'none'
  readonly unit: ProrationUnit
  readonly pricedFrom: Instant | null
}

/** - `isBusy`: A payment, refund or void of the order is under way. */
export interface BillingOrder {
  readonly due: Money
  readonly isBusy: boolean
}

/** By order and by the place of the line. */
export type LeftOfLines = ReadonlyMap<string, readonly LeftOfLine[]>

/**
 * - `billed`: What was billed for the items of the current period; null if the period was not billed.
 * - `paid`: The orders that billed the period, with what was paid of them.
 * - `left`: What notes and refunds left of the lines of these orders.
 * - `orders`: The open ones among these orders.
 */
export interface ChangeGround {
  readonly aggregate: PlanAggregate
  readonly items: PlanItems
  readonly billed: ChangedPeriod | null
  readonly paid: PaidPeriod
  readonly left: LeftOfLines
  readonly orders: ReadonlyMap<string, BillingOrder>
  readonly now: Instant
}

export interface Priced {
  readonly from: Instant
  readonly remaining: number
  readonly whole: number
}

/** The current period of a cycle that has billed one. */
export interface CurrentPeriod {
  readonly start: Instant
  readonly end: Instant
  readonly wholeStart: Instant
}

/**
 * A change of a period that was billed.
 * - `coupons`: Those that lower the period.
 * - `kept`: For each wanted item, the place of the item that stays for it, or null.
 * - `gone`: The places of the items that do not stay.
 */
export interface PricedChange {
  readonly ground: ChangeGround
  readonly wanted: WantedChange
  readonly period: CurrentPeriod
  readonly billed: ChangedPeriod
  readonly priced: Priced
  readonly coupons: readonly CouponTerms[]
  readonly kept: readonly (number | null)[]
  readonly gone: readonly number[]
}

export function currentPeriod({ plan }: PlanAggregate, cycle: Cycle): CurrentPeriod | null {
  if (cycle.start === null || cycle.nextPeriod === 0) return null
  const schedule = scheduleOf(plan, cycle)
  const index = cycle.nextPeriod - 1
  return {
    start: billingDate(schedule, index),
    end: billingDate(schedule, index + 1),
    wholeStart: wholePeriodStart(schedule, index),
  }
}

export function partAt(billed: ChangedPeriod | null, index: number): BilledPart | null {
  return billed?.parts[index] ?? null
}

export function priceFrom(
  { aggregate, now }: ChangeGround,
  { pricedFrom, unit }: WantedChange,
  { start, end, wholeStart }: CurrentPeriod,
  billed: ChangedPeriod,
): Priced | Refused<'proration_date_invalid'> {
  const { zone } = aggregate.plan
  const earliest = isBefore(billed.pricedFrom, start) ? start : billed.pricedFrom
  if (pricedFrom !== null && (isBefore(pricedFrom, earliest) || isAfter(pricedFrom, now))) {
    return {
      refused: 'proration_date_invalid',
      param: 'change.proration_date',
      message: `change.proration_date must lie between ${toRfc3339(earliest)}, the start of the period or the last change, and now.`,
    }
  }
  const from = pricedFrom ?? now
  return { from, remaining: lengthOf(from, end, unit, zone), whole: lengthOf(wholeStart, end, unit, zone) }
}

/** What was billed for an item less what notes credited of it, before exclusive tax. */
export function worthOf({ net, orderId, line }: BilledPart, left: LeftOfLines): Money {
  const ofLine = left.get(orderId ?? '')?.[line ?? -1]
  if (ofLine === undefined || ofLine.left.equals(ofLine.total) || ofLine.total.isZero()) return net
  return net.prorate(ofLine.left.minor, ofLine.total.minor)
}

/** Whether an order that billed one of these items has a payment, refund or void under way. */
export function isBillingOrderBusy(
  { orders }: ChangeGround,
  billed: ChangedPeriod,
  gone: readonly number[],
): boolean {
  return gone.some((index) => orders.get(partAt(billed, index)?.orderId ?? '')?.isBusy === true)
}

/**
 * Takes back what is left of items: first from what is unpaid of the orders that billed them, the rest as lines.
 * @param unpaid what no payment covers of these lines, with tax. It lowers what is unpaid of other orders of the period.
 */
export function creditParts(
  { ground, wanted: { unit }, period: { end }, billed, priced, gone }: PricedChange,
  unpaid: Money,
): { lines: Line[]; credits: { orderId: string; amount: Money }[] } {
  const { aggregate, items, orders, paid, left } = ground
  const { from, remaining } = priced
  const { plan } = aggregate
  const before = items[currentCycle(aggregate).position] ?? []
  const none = Money.zero(plan.credit.currency)
  const credits = new GrossCredits(aggregate)
  const lowered = new Map<string, Money>()
  let uncovered = unpaid
  const lines = gone.flatMap((index): Line[] => {
    const part = partAt(billed, index)
    const item = before[index]
    if (part === null || item === undefined) return []
    const credit = partOf(worthOf(part, left), remaining, lengthOf(part.from, end, unit, plan.zone))
    const gross = credits.add(part, item, credit)
    const due = unpaidOf(part, orders, lowered) ?? none
    const lowers = gross.lessThan(due) ? gross : due
    if (part.orderId !== null && lowers.isPositive()) {
      lowered.set(part.orderId, (lowered.get(part.orderId) ?? none).plus(lowers))
    }
    const given = gross.minus(lowers)
    const cut = given.lessThan(uncovered) ? given : uncovered
    uncovered = uncovered.minus(cut)
    const isWhole = lowers.isZero() && cut.isZero()
    const rest = isWhole ? credit : netOfGross(given.minus(cut), part, item)
    return changeLine('proration_credit', item, rest.negated(), from, end, part)
  })
  lowerOthers(unpaid.minus(uncovered), paid, orders, lowered)
  return { lines, credits: [...lowered].map(([orderId, amount]) => ({ orderId, amount })) }
}

function lowerOthers(
  amount: Money,
  { orders: ofPeriod }: PaidPeriod,
  open: ChangeGround['orders'],
  lowered: Map<string, Money>,
): void {
  let rest = amount
  for (const { orderId } of ofPeriod) {
    const found = open.get(orderId)
    if (found === undefined || found.isBusy) continue
    const already = lowered.get(orderId) ?? Money.zero(amount.currency)
    const due = found.due.minus(already)
    const lowers = rest.lessThan(due) ? rest : due
    if (!lowers.isPositive()) continue
    lowered.set(orderId, already.plus(lowers))
    rest = rest.minus(lowers)
  }
}

function unpaidOf(
  { orderId }: BilledPart,
  orders: ChangeGround['orders'],
  lowered: ReadonlyMap<string, Money>,
): Money | undefined {
  const order = orders.get(orderId ?? '')
  if (order === undefined) return undefined
  const already = lowered.get(orderId ?? '')
  return already === undefined ? order.due : order.due.minus(already)
}

export interface ChargedItem {
  /** Null for an item that stays. */
  readonly net: Money | null
  readonly line?: readonly Line[]
}

export function chargeItems({
  ground: { aggregate },
  wanted: { items },
  period,
  priced: { from, remaining, whole },
  coupons,
  kept,
}: PricedChange): { readonly charged: ChargedItem[]; readonly lowering: string[] } {
  const { discount } = currentCycle(aggregate)
  const { currency } = aggregate.plan.credit
  const lines = linesOfPeriod(items, period)
  const deducted = deductFromItems(lines, discount, undefined, currency, coupons)
  const charged = items.map((item, index): ChargedItem => {
    const full = deducted.nets[index]
    const line = lines[index]
    if (full === undefined || line === undefined || kept[index] !== null) return { net: null }
    const net = partOf(full, remaining, whole)
    const left = { discount: partOf(lineTotal(line), remaining, whole).minus(net) }
    return { net, line: changeLine('proration_charge', item, net, from, period.end, left) }
  })
  const lowering = remaining === 0 ? [] : loweringCharges(coupons, deducted.lowering, items, kept)
  return { charged, lowering }
}

function changeLine(
  kind: 'proration_credit' | 'proration_charge',
  { item, quantity }: CycleItem,
  amount: Money,
  start: Instant,
  end: Instant,
  { taxedAs, orderId = null, discount }: Partial<BilledPart> & { readonly discount?: Money } = {},
): Line[] {
  if (amount.isZero()) return []
  const period = { start: toRfc3339(start), end: toRfc3339(end) }
  const { taxCategory, taxBehavior } = item
  const billed = {
    kind,
    period,
    recurringItemId: item.id,
    units: quantity,
    ...(discount?.isPositive() === true && { discount }),
    ...(taxedAs !== undefined && { taxedAs }),
    ...(orderId !== null && { creditedOrderId: orderId }),
  }
  return [{ label: item.label, price: amount, quantity: 1, billed, taxCategory, taxBehavior }]
}

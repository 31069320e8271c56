import { type Instant, isAfter } from '#kernel/clock'
import { Money, sumMoney } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import { lineTotal, takenOver } from '#modules/payments'
import { billPeriod, newRhythm, type OrderBill, withBooked, withRhythm } from '../amounts/bill-next.ts'
import type { PlanItems, ReplacedCycles } from '../model/plan-items.ts'
import { type BilledLines, billLines } from '../amounts/order-lines.ts'
import type { CycleItem, Line } from '#modules/catalogue'
import { nextOrderId } from '../amounts/period-order.ts'
import { taxationOf } from '../amounts/tax-lines.ts'
import { advance, nextBoundary } from '../timeline/timeline.ts'
import { couponsOf, withPeriodLowered } from '../amounts/lowering-coupons.ts'
import { creditSources, type PaidPeriod } from '../amounts/given-credit.ts'
import {
  currentCycle,
  isCountReached,
  type PlanAggregate,
  withCycle,
  withEvent,
  withPlan,
} from '../model/plan.ts'
import type { ChangedPeriod } from '../model/plan-change.ts'
import { fixedOf, isSameList, keptItems, withoutShared } from './kept-items.ts'
import {
  type ChangeGround,
  type ChargedItem,
  chargeItems,
  creditParts,
  type CurrentPeriod,
  currentPeriod,
  isBillingOrderBusy,
  partAt,
  type Priced,
  type PricedChange,
  priceFrom,
  type WantedChange,
} from './price-change.ts'

/**
 * - `proration`: How the change was priced; null if it was not.
 * - `waiting`: What waits for the next order.
 */
export interface DecidedChange {
  readonly aggregate: PlanAggregate
  readonly items: PlanItems
  readonly replaced: ReplacedCycles | null
  readonly state: 'applied' | 'scheduled'
  readonly effectiveAt: Instant
  readonly proration: Priced | null
  readonly credits: readonly { readonly orderId: string; readonly amount: Money }[]
  readonly waiting: readonly Line[]
  readonly order: OrderBill | null
}

export type ChangeRefusal = Refused<
  | 'plan_not_changeable'
  | 'payment_in_progress'
  | 'nothing_changes'
  | 'change_pending'
  | 'proration_date_invalid'
>

/** Decides what a change does (reference/billing-changes). A preview and the change itself both use it. */
export function decidePlanChange(ground: ChangeGround, wanted: WantedChange): DecidedChange | ChangeRefusal {
  const { aggregate, items, billed } = ground
  const { plan } = aggregate
  const cycle = currentCycle(aggregate)
  const refused = refuseUnlessChangeable(ground) ?? refuseSameItems(items[cycle.position], wanted)
  if (refused !== null) return refused
  const period = currentPeriod(aggregate, cycle)
  if (wanted.at === 'period_end' && period !== null) return scheduleChange(ground, wanted, period)
  if (plan.pendingChange !== null) return { refused: 'change_pending' }
  if (cycle.start === null) return replaceCycle(ground, cycle.position, wanted)
  if (period === null || billed === null || wanted.proration === 'none')
    return applyUnpriced(ground, wanted, billed)
  return applyPriced(ground, wanted, period, billed)
}

function refuseUnlessChangeable({ aggregate, now }: ChangeGround): ChangeRefusal | null {
  const { plan } = aggregate
  const isOver = plan.permanentlyUncollectible || currentCycle(aggregate).endAt !== null
  if (plan.suspendedAt !== null || isOver || !['upcoming', 'active', 'past_due'].includes(plan.state)) {
    const message = `The plan is ${plan.paused ? 'paused' : plan.state}, so it cannot be changed.`
    return { refused: 'plan_not_changeable', message }
  }
  if (plan.pendingChange?.payment != null) {
    return { refused: 'change_pending', message: 'A change of the plan waits until its order is paid.' }
  }
  // The next period has begun, but has no order yet, so it is not known what the period bills.
  const boundary = nextBoundary(aggregate)
  if (boundary === null || isAfter(boundary, now)) return null
  return { refused: 'payment_in_progress', message: 'The next period of the plan is being billed.' }
}

function refuseSameItems(
  before: readonly CycleItem[] | undefined,
  { rhythm, items }: WantedChange,
): ChangeRefusal | null {
  return rhythm === null && isSameList(before ?? [], items) ? { refused: 'nothing_changes' } : null
}

function scheduleChange(
  ground: ChangeGround,
  wanted: WantedChange,
  { end }: CurrentPeriod,
): DecidedChange | ChangeRefusal {
  const { aggregate, items } = ground
  const { plan } = aggregate
  const cycle = currentCycle(aggregate)
  const hasPeriodAfter =
    wanted.rhythm !== null || !isCountReached(cycle) || aggregate.cycles[cycle.position + 1] !== undefined
  if (plan.cancelAt !== null && !isAfter(plan.cancelAt, end)) {
    return { refused: 'plan_not_changeable', message: 'The plan is canceled at the end of the period.' }
  }
  if (!hasPeriodAfter) return { refused: 'plan_not_changeable', message: 'The plan ends with this period.' }
  const pendingChange = {
    at: end,
    items: wanted.items.map(({ item, quantity }) => ({ itemId: item.id, quantity })),
    rhythm: wanted.rhythm && {
      configId: wanted.rhythm.config.id,
      billingCount: wanted.rhythm.billingCount,
    },
    payment: null,
  }
  return {
    ...NOTHING_BILLED,
    aggregate: withEvent(withPlan(aggregate, { pendingChange }), { type: 'plan.change_scheduled' }),
    items,
    replaced: null,
    state: 'scheduled',
    effectiveAt: end,
  }
}

const NOTHING_BILLED = { proration: null, credits: [], waiting: [], order: null } as const

/** Decides a change of an upcoming cycle, for which nothing has been billed. */
export function decideCycleChange(
  ground: ChangeGround,
  position: number,
  wanted: WantedChange,
): DecidedChange | ChangeRefusal {
  const refused = refuseUnlessChangeable(ground) ?? refuseSameItems(ground.items[position], wanted)
  if (refused !== null) return refused
  return replaceCycle(ground, position, wanted)
}

function replaceCycle(
  { aggregate, items, now }: ChangeGround,
  position: number,
  { items: newItems, rhythm }: Pick<WantedChange, 'items' | 'rhythm'>,
): DecidedChange {
  const changed = rhythm === null ? aggregate : withCycle(aggregate, position, rhythm)
  return {
    ...NOTHING_BILLED,
    aggregate: withEvent(changed, { type: 'plan.changed' }),
    items: items.with(position, newItems),
    replaced: { from: position, isRhythm: rhythm !== null },
    state: 'applied',
    effectiveAt: now,
  }
}

function applyUnpriced(
  ground: ChangeGround,
  wanted: WantedChange,
  billed: ChangedPeriod | null,
): DecidedChange {
  const { aggregate, items, now } = ground
  const { position } = currentCycle(aggregate)
  const before = items[position] ?? []
  if (wanted.rhythm !== null) return beginRhythm(ground, wanted, wanted.rhythm, [], [], null)
  const parts = keptItems(before, wanted.items).map((index) =>
    index === null ? null : partAt(billed, index),
  )
  const changedPeriod = billed && { ...billed, parts, pricedFrom: now }
  return {
    ...NOTHING_BILLED,
    aggregate: withEvent(withPlan(aggregate, { changedPeriod }), { type: 'plan.changed' }),
    items: items.with(position, wanted.items),
    replaced: { from: position, isRhythm: false },
    state: 'applied',
    effectiveAt: now,
  }
}

function applyPriced(
  ground: ChangeGround,
  wanted: WantedChange,
  period: CurrentPeriod,
  billed: ChangedPeriod,
): DecidedChange | ChangeRefusal {
  const { aggregate, items, now } = ground
  const cycle = currentCycle(aggregate)
  const before = items[cycle.position] ?? []
  const priced = priceFrom(ground, wanted, period, billed)
  if ('refused' in priced) return priced
  const coupons = couponsOf(aggregate, wanted.items, cycle.discount, { start: period.start, at: now })
  const kept =
    wanted.rhythm === null
      ? withoutShared(keptItems(before, wanted.items), before, wanted.items, fixedOf(cycle, coupons))
      : wanted.items.map(() => null)
  const gone = [...before.keys()].filter((index) => !kept.includes(index))
  if (isBillingOrderBusy(ground, billed, gone)) return { refused: 'payment_in_progress' }
  const change = { ground, wanted, period, billed, priced, coupons, kept, gone }
  return wanted.rhythm === null ? replaceItems(change) : replaceRhythm(change, wanted.rhythm)
}

function replaceRhythm(change: PricedChange, rhythm: NonNullable<WantedChange['rhythm']>): DecidedChange {
  const { ground, wanted, priced } = change
  return withinPaid(
    ground,
    (unpaid) => {
      const { lines, credits } = creditParts(change, unpaid)
      return beginRhythm(ground, wanted, rhythm, lines, credits, priced)
    },
    ({ order }) => order?.lines,
  )
}

/** Takes back what is left of the items that do not stay, and charges the rest of the period for those that come. */
function replaceItems(change: PricedChange): DecidedChange {
  const { ground, wanted, period, billed, priced } = change
  const { aggregate, items, now } = ground
  const cycle = currentCycle(aggregate)
  const isWaiting = wanted.proration === 'next_order'
  const { charged, lowering } = chargeItems(change)
  const { credits, lines, pendingLines, written } = withinPaid(
    ground,
    (unpaid) => {
      const ofGone = creditParts(change, unpaid)
      return { credits: ofGone.credits, ...differenceOf(ground, ofGone.lines, charged) }
    },
    (difference) => difference.written,
  )
  const orderId = nextOrderId(aggregate, now)
  const billedLines = !isWaiting && lines.length > 0 ? written : null
  const changedPeriod: ChangedPeriod = {
    start: period.start,
    pricedFrom: priced.from,
    orders: billedLines === null ? billed.orders : [...billed.orders, orderId],
    parts: partsOf(change, charged, { orderId, pendingLines, billedLines }),
  }
  const lowered = withPeriodLowered(
    withPlan(aggregate, { changedPeriod, pendingLines }),
    { start: period.start, at: now },
    lowering,
  )
  const changed = withEvent(lowered, { type: 'plan.changed' })
  const decided = {
    items: items.with(cycle.position, wanted.items),
    replaced: { from: cycle.position, isRhythm: false },
    state: 'applied' as const,
    effectiveAt: now,
    proration: priced,
    credits,
  }
  if (billedLines === null) {
    return { ...decided, aggregate: changed, waiting: isWaiting ? lines : [], order: null }
  }
  const bill = {
    kind: 'change' as const,
    sources: creditSources(billedLines, ground.paid),
    counted: false,
    period: { cyclePosition: cycle.position, start: period.start, end: period.end, stub: undefined },
    lines: billedLines,
  }
  return { ...decided, aggregate: withBooked(changed, billedLines), waiting: [], order: { ...bill, orderId } }
}

interface Difference {
  readonly lines: readonly Line[]
  readonly pendingLines: readonly Line[]
  readonly written: BilledLines
}

/** - `pendingLines`, `written`: With the lines that already waited for the next order. */
function differenceOf(
  { aggregate, now }: ChangeGround,
  credited: readonly Line[],
  charged: readonly ChargedItem[],
): Difference {
  const { pendingLines: before, credit } = aggregate.plan
  const lines = [...credited, ...charged.flatMap(({ line }) => line ?? [])]
  const waiting = [...before, ...lines]
  const taxation = taxationOf(aggregate, now)
  const written = billLines({ items: [], discount: null, waiting, taxation, credit })
  return { lines, pendingLines: waiting, written }
}

/** What is billed for each item of the period from now on: of the items that stay, what was billed before. */
function partsOf(
  { wanted, billed, priced, kept }: PricedChange,
  charged: readonly ChargedItem[],
  {
    orderId,
    pendingLines,
    billedLines,
  }: {
    readonly orderId: string
    readonly pendingLines: readonly Line[]
    readonly billedLines: BilledLines | null
  },
): ChangedPeriod['parts'] {
  return charged.map(({ net, line }, index) => {
    if (net === null) {
      const part = partAt(billed, kept[index] ?? -1)
      return part?.orderId === null && billedLines !== null ? { ...part, orderId } : part
    }
    const place = line?.[0] === undefined ? -1 : pendingLines.indexOf(line[0])
    const taxedAs = billedLines?.lines[place]?.billed.taxedAs
    const isWaiting = wanted.proration === 'next_order'
    const part = { net, from: priced.from, orderId: isWaiting ? null : orderId, line: place }
    return taxedAs === undefined ? part : { ...part, taxedAs }
  })
}

/**
 * Decides again with lower credits, until the plan's credit gets no more than what is left of the period's payments.
 * @param decide takes what no payment covers of the credits, with tax
 */
function withinPaid<Decided>(
  { aggregate, paid }: ChangeGround,
  decide: (unpaid: Money) => Decided,
  linesOf: (decided: Decided) => BilledLines | undefined,
): Decided {
  const { currency } = aggregate.plan.credit
  let unpaid = Money.zero(currency)
  let before: Money | undefined
  for (;;) {
    const decided = decide(unpaid)
    const lines = linesOf(decided)
    if (lines === undefined) return decided
    const { toCredit } = lines
    const excess = toCredit.minus(coveredOf(lines, paid))
    // An excess that remains comes from lines that waited. Booking takes it back.
    if (!excess.isPositive() || before?.equals(toCredit) === true) return decided
    before = toCredit
    unpaid = unpaid.plus(excess)
  }
}

/** Lines that waited may take back parts of orders before the period. */
function coveredOf(lines: BilledLines, { left, orders }: PaidPeriod): Money {
  const ids = new Set(orders.map(({ orderId }) => orderId))
  const { currency } = left
  const taking = lines.lines.filter(({ billed }) => billed.kind !== 'to_credit')
  const others = takenOver(currency, { lines: taking, tax: lines.tax }, ids)
  const covered = left.plus(others)
  return covered.isNegative() ? Money.zero(currency) : covered
}

/** Ends the cycle, and bills the first period of the new one on the order that takes back what is left of the old period. */
function beginRhythm(
  ground: ChangeGround,
  wanted: WantedChange,
  rhythm: NonNullable<WantedChange['rhythm']>,
  lines: readonly Line[],
  credits: DecidedChange['credits'],
  proration: Priced | null,
): DecidedChange {
  const { aggregate, items, now } = ground
  const { plan } = aggregate
  const next = newRhythm(currentCycle(aggregate), rhythm.config, rhythm.billingCount, now)
  const changed = withPlan(aggregate, { changedPeriod: null, pendingLines: [...plan.pendingLines, ...lines] })
  const switched = withRhythm(withEvent(changed, { type: 'plan.changed' }), items, next, wanted.items, now)
  const { aggregate: advanced, bill: period } = advance(switched.aggregate, now)
  const decided = {
    items: switched.items,
    replaced: switched.replaced,
    state: 'applied' as const,
    effectiveAt: now,
    proration,
    credits,
    waiting: [],
  }
  // A calendar cycle without proration bills on its first date.
  if (period === undefined) return { ...decided, aggregate: advanced, order: null }
  const billedLines = billPeriod(advanced, period, wanted.items, now)
  return {
    ...decided,
    aggregate: withPeriodLowered(
      withBooked(advanced, billedLines),
      { start: period.start, at: now },
      billedLines.lowering,
    ),
    order: {
      kind: 'change',
      sources: creditSources(billedLines, ground.paid),
      counted: true,
      period,
      lines: billedLines,
      orderId: nextOrderId(aggregate, now),
    },
  }
}

/** The total of the order, or of the lines that wait. */
export function totalOf({ order, waiting, aggregate }: DecidedChange): Money {
  return order?.lines.total ?? sumMoney(aggregate.plan.credit.currency, waiting.map(lineTotal))
}

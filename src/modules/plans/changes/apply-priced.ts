import { Money } from '#kernel/money'
import type { Line } from '#modules/catalogue'
import { takenOver } from '#modules/payments'
import { billPeriod, newRhythm, withBooked, withRhythm } from '../amounts/bill-next.ts'
import { creditSources, type PaidPeriod } from '../amounts/given-credit.ts'
import { couponsOf, withPeriodLowered } from '../amounts/lowering-coupons.ts'
import { type BilledLines, billLines } from '../amounts/order-lines.ts'
import { nextOrderId } from '../amounts/period-order.ts'
import { taxationOf } from '../amounts/tax-lines.ts'
import type { ChangedPeriod } from '../model/plan-change.ts'
import { currentCycle, withEvent, withPlan } from '../model/plan.ts'
import { advance } from '../timeline/timeline.ts'
import type { ChangeRefusal, DecidedChange } from './decided-change.ts'
import { fixedOf, keptItems, withoutShared } from './kept-items.ts'
import {
  type ChangeGround,
  type ChargedItem,
  chargeItems,
  creditParts,
  type CurrentPeriod,
  isBillingOrderBusy,
  partAt,
  type PricedChange,
  priceFrom,
  type WantedChange,
} from './price-change.ts'

/** Decides a change of a period that was billed. */
export function applyPriced(
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
      return beginRhythm(ground, wanted, rhythm, { lines, credits, proration: priced })
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

/** What is taken back of the old period. */
type TakenBack = Pick<DecidedChange, 'credits' | 'proration'> & { readonly lines: readonly Line[] }

/** Ends the cycle, and bills the first period of the new one on the order that takes back what is left of the old period. */
export function beginRhythm(
  ground: ChangeGround,
  wanted: WantedChange,
  rhythm: NonNullable<WantedChange['rhythm']>,
  { lines, credits, proration }: TakenBack,
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

import { isAfter } from '#kernel/clock'
import type { CycleItem } from '#modules/catalogue'
import type { ChangedPeriod } from '../model/plan-change.ts'
import { currentCycle, isCountReached, withCycle, withEvent, withPlan } from '../model/plan.ts'
import { nextBoundary } from '../timeline/timeline.ts'
import { applyPriced, beginRhythm } from './apply-priced.ts'
import type { ChangeRefusal, DecidedChange } from './decided-change.ts'
import { isSameList, keptItems } from './kept-items.ts'
import {
  type ChangeGround,
  type CurrentPeriod,
  currentPeriod,
  partAt,
  type WantedChange,
} from './price-change.ts'

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

const NOTHING_BILLED = { proration: null, credits: [], waiting: [], order: null } as const

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
  if (wanted.rhythm !== null)
    return beginRhythm(ground, wanted, wanted.rhythm, { lines: [], credits: [], proration: null })
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

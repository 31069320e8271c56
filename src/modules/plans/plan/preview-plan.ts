import { type Instant, isAfter } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { TaxAnswers } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import type { BilledLines } from '../amounts/order-lines.ts'
import { billNext } from '../amounts/bill-next.ts'
import type { PlanItems, ScheduledChange } from '../model/plan-items.ts'
import { nextTimelineAt } from '../timeline/timeline.ts'
import type { PlansContext } from '../context.ts'
import type { CycleItem } from '#modules/catalogue'
import { type Cycle, cycleAt, type PlanAggregate } from '../model/plan.ts'
import { couponsOfDraft, draftPlan, type PlanDraft } from './draft-plan.ts'
import type { NewPlan } from '../model/plan-requests.ts'

/** The default of reference/recurring#preview. */
const DEFAULT_COUNT = 12

/** - `aggregate`: The plan before its first order. It and its cycles have empty ids. */
export interface PlanPreview {
  readonly aggregate: PlanAggregate
  readonly orders: readonly PreviewedOrder[]
}

export interface PreviewedOrder {
  readonly start: Instant
  readonly cycle: Cycle
  readonly items: readonly CycleItem[]
  readonly billed: BilledLines
}

export async function previewPlan(
  ctx: PlansContext,
  caller: Caller,
  request: NewPlan,
  count: number = DEFAULT_COUNT,
): Promise<PlanPreview> {
  const { timeZone } = await ctx.businesses.profile(caller.businessId)
  const preview = async (tx: Tx, answers: TaxAnswers) => {
    const draft = await draftPlan(ctx, tx, timeZone, request, answers)
    const aggregate = { ...withoutIds(draft), coupons: await couponsOfDraft(tx, draft, request) }
    const orders = previewOrders(aggregate, draft.items, count)
    answers.requireAll()
    return { aggregate, orders }
  }
  const { businessId } = caller
  return ctx.taxes.withEngine(
    businessId,
    (answers) => ctx.db.transact(businessId, (tx) => preview(tx, answers)),
    true,
  )
}

/** Makes the decisions of billing in memory, as if each order were paid at once. */
export function previewOrders(
  unbilled: PlanAggregate,
  unbilledItems: PlanItems,
  count: number,
  scheduled?: ScheduledChange,
): PreviewedOrder[] {
  const orders: PreviewedOrder[] = []
  // A cycle is shown in its state before the orders, unless one of the orders begins the cycle.
  const hasRhythm = scheduled?.config != null
  let aggregate = unbilled
  let items = unbilledItems
  while (orders.length < count) {
    const at = nextTimelineAt(aggregate)
    const { cancelAt } = aggregate.plan
    if (at === null || (cancelAt !== null && !isAfter(cancelAt, at))) break
    const next = billNext(aggregate, items, at, scheduled)
    aggregate = next.aggregate
    items = next.items
    if (next.bill === undefined) continue
    const { period, lines } = next.bill
    orders.push({
      start: period.start,
      cycle: cycleAt(hasRhythm ? aggregate : unbilled, period.cyclePosition),
      items: items[period.cyclePosition] ?? [],
      billed: lines,
    })
  }
  return orders
}

function withoutIds({ aggregate, newConfigs }: PlanDraft): PlanAggregate {
  const newIds = new Set([...newConfigs.values()].map((config) => config.id))
  const cycles = aggregate.cycles.map((cycle) => ({
    ...cycle,
    id: '',
    planId: '',
    config: newIds.has(cycle.config.id) ? { ...cycle.config, id: '' } : cycle.config,
  }))
  return { ...aggregate, plan: { ...aggregate.plan, id: '' }, cycles }
}

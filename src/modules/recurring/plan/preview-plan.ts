import type { Instant } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { BilledLines } from '../billing/order-lines.ts'
import { billedLinesOf } from '../billing/period-order.ts'
import { advance, nextTimelineAt } from '../billing/timeline.ts'
import type { RecurringContext } from '../context.ts'
import type { CycleItem } from '../model/catalogue.ts'
import type { PlanAggregate } from '../model/plan.ts'
import { draftPlan, type PlanDraft } from './draft-plan.ts'
import type { NewPlan } from './new-plan.ts'

const DEFAULT_COUNT = 12

/** - `aggregate`: The plan before its first order. It and its cycles have empty ids. */
export interface PlanPreview {
  readonly aggregate: PlanAggregate
  readonly items: readonly (readonly CycleItem[])[]
  readonly orders: readonly PreviewedOrder[]
}

interface PreviewedOrder {
  readonly start: Instant
  readonly cyclePosition: number
  readonly billed: BilledLines
}

export async function previewPlan(
  ctx: RecurringContext,
  caller: Caller,
  request: NewPlan,
  count: number = DEFAULT_COUNT,
): Promise<PlanPreview> {
  const { timeZone } = await ctx.businesses.profile(caller.businessId)
  const draft = await ctx.db.transact(caller.businessId, (tx) => draftPlan(ctx, tx, timeZone, request))
  const { items } = draft
  const aggregate = withoutIds(draft)
  return { aggregate, items, orders: previewOrders(aggregate, items, count) }
}

/** Makes the decisions of billing in memory, as if each order were paid at once. */
function previewOrders(unbilled: PlanAggregate, items: PlanDraft['items'], count: number): PreviewedOrder[] {
  const orders: PreviewedOrder[] = []
  let aggregate = unbilled
  while (orders.length < count) {
    const at = nextTimelineAt(aggregate)
    if (at === null) break
    const step = advance(aggregate, at)
    aggregate = step.aggregate
    if (step.bill === undefined) continue
    const { start, cyclePosition } = step.bill
    orders.push({
      start,
      cyclePosition,
      billed: billedLinesOf(aggregate, step.bill, items[cyclePosition] ?? []),
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

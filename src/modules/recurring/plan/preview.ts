import { toRfc3339 } from '#kernel/clock'
import { lineTotal } from '#modules/payments'
import type { Caller } from '#platform/caller'
import { billedLinesOf } from '../billing/period-order.ts'
import type { RecurringDependencies } from '../dependencies.ts'
import { cycleAt, type PlanAggregate } from './plan.ts'
import { type PlanDraft, readPlan } from './read-plan.ts'
import { renderCycle } from '../api/render.ts'
import type { NewPlan } from '../api/schemas.ts'
import { advance, cycleTimes, nextTimelineAt } from '../billing/timeline.ts'

const DEFAULT_COUNT = 12

/** Makes the decisions of billing in memory, as if each order were paid at once. */
export async function previewPlan(
  deps: RecurringDependencies,
  caller: Caller,
  request: NewPlan,
  count: number = DEFAULT_COUNT,
): Promise<object> {
  const { timeZone } = await deps.businesses.profile(caller.businessId)
  const draft = await deps.db.transact(caller.businessId, (tx) => readPlan(deps, tx, timeZone, request))
  const unnamed = withoutIds(draft)
  const times = cycleTimes(unnamed)
  const orders: object[] = []
  let aggregate = unnamed
  while (orders.length < count) {
    const at = nextTimelineAt(aggregate)
    if (at === null) break
    const step = advance(aggregate, at)
    aggregate = step.aggregate
    if (step.bill === undefined) continue
    const cycle = cycleAt(unnamed, step.bill.cyclePosition)
    const items = draft.items[step.bill.cyclePosition] ?? []
    const billed = billedLinesOf(aggregate, step.bill, items)
    orders.push({
      date: toRfc3339(step.bill.start),
      amount: billed.total,
      currency: billed.total.currency,
      recurring_cycle: renderCycle(unnamed, cycle, items, times[step.bill.cyclePosition]),
      line_items: billed.lines.map((line) => ({
        purchasable_type: 'Charge',
        price: line.price,
        quantity: line.quantity,
        total: lineTotal(line),
        label: line.label,
      })),
    })
  }
  return { orders }
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

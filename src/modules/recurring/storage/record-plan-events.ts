import type { Instant } from '#kernel/clock'
import type { NewEvent } from '#platform/events/events'
import type { Tx } from '#platform/postgres/database'
import type { RecurringDependencies } from '../dependencies.ts'
import type { PlanAggregate, PlanEvent } from '../plan/plan.ts'
import { type PreloadedRelations, renderPlans } from './render-plans.ts'
import { type PlanChange, savePlans } from './save-plans.ts'

/**
 * Writes the events of plans. The caller holds the plans' locks.
 * @returns the rendered plans that have events, by id
 */
export async function recordPlanEvents(
  deps: RecurringDependencies,
  tx: Tx,
  plans: readonly PlanAggregate[],
  timeOf: (aggregate: PlanAggregate) => Instant,
  preloaded?: PreloadedRelations,
): Promise<Map<string, object>> {
  const changed = plans.filter(({ events }) => events.length > 0)
  if (changed.length === 0) return new Map()
  const prepared = deps.events.prepare(tx)
  const rendered = await renderPlans(deps, tx, changed, timeOf, preloaded)
  await deps.events.append(
    tx,
    changed.flatMap((aggregate): NewEvent[] => {
      const { id } = aggregate.plan
      const plan = rendered.get(id) ?? {}
      return aggregate.events.map((event) => ({
        type: event.type,
        objectId: id,
        timestamp: timeOf(aggregate),
        data: eventData(plan, event),
      }))
    }),
    prepared,
  )
  return rendered
}

function eventData(plan: object, event: PlanEvent): object {
  if (!('position' in event)) return { plan }
  const cycles: unknown = 'recurring_cycles' in plan ? plan.recurring_cycles : undefined
  return { plan, recurring_cycle: Array.isArray(cycles) ? (cycles[event.position] as unknown) : undefined }
}

export async function savePlansWithEvents(
  deps: RecurringDependencies,
  tx: Tx,
  changes: readonly PlanChange[],
  preloaded?: PreloadedRelations,
): Promise<void> {
  const plans = savePlans(tx, changes)
  const times = new Map(changes.map(({ after, at }) => [after.plan.id, at]))
  await recordPlanEvents(deps, tx, plans, ({ plan }) => times.get(plan.id) ?? tx.now, preloaded)
}

export async function savePlanWithEvents(
  deps: RecurringDependencies,
  tx: Tx,
  change: PlanChange,
): Promise<{ plan: object }> {
  const plans = savePlans(tx, [change])
  const recorded = await recordPlanEvents(deps, tx, plans, () => change.at)
  const rendered = recorded.size > 0 ? recorded : await renderPlans(deps, tx, plans, () => change.at)
  return { plan: rendered.get(change.after.plan.id) ?? {} }
}

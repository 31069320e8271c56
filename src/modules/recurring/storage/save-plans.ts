import { earliestOf, type Instant, laterOf } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { RECURRING_JOB } from '../job-names.ts'
import type { Cycle, Plan, PlanAggregate, PlanOrder } from '../plan/plan.ts'
import { updatePlanOrders } from './plan-order.repository.ts'
import { updateCycles, updatePlans } from './plan.repository.ts'
import { nextDue, nextExecuteAt } from '../billing/timeline.ts'

export interface PlanChange {
  readonly before: PlanAggregate
  readonly after: PlanAggregate
  readonly at: Instant
}

/**
 * Saves the changed rows of many plans with one statement a table, and schedules the next run of the job. The caller holds
 * the plans' locks and inserts new orders itself. The statements are deferred to the end of the transaction.
 * @returns the plans as saved
 */
export function savePlans(tx: Tx, changes: readonly PlanChange[]): PlanAggregate[] {
  const saved: PlanAggregate[] = []
  const plans: Plan[] = []
  const cycles: Cycle[] = []
  const orders: PlanOrder[] = []
  for (const { before, after, at } of changes) {
    const aggregate = withUpdatedAt(before, withDue(after, at), at)
    saved.push(aggregate)
    if (aggregate.plan !== before.plan) plans.push(aggregate.plan)
    cycles.push(...aggregate.cycles.filter((cycle) => cycle !== before.cycles[cycle.position]))
    orders.push(...changedOrders(before, aggregate))
  }
  tx.defer(updatePlans(tx, plans))
  tx.defer(updateCycles(tx, cycles))
  tx.defer(updatePlanOrders(tx, orders))
  tx.defer(scheduleEarliest(tx, saved))
  return saved
}

function changedOrders(before: PlanAggregate, after: PlanAggregate): PlanOrder[] {
  const previous = new Map(before.orders.map((order) => [order.orderId, order]))
  return after.orders.filter((order) => {
    const old = previous.get(order.orderId)
    return old !== undefined && old !== order
  })
}

/**
 * Sets what the plan does next. An overdue step is due at the time of the change, because an advanced clock and a plan's
 * history never go back.
 */
export function withDue(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  const due = nextDue(aggregate)
  const schedule = {
    due: due === null ? null : { ...due, at: laterOf(due.at, at) },
    nextExecuteAt: nextExecuteAt(aggregate),
  }
  const { plan } = aggregate
  return isSameSchedule(plan, schedule) ? aggregate : { ...aggregate, plan: { ...plan, ...schedule } }
}

/** A changed cycle also updates its plan, because the plan shows its cycles. */
function withUpdatedAt(before: PlanAggregate, after: PlanAggregate, at: Instant): PlanAggregate {
  const cycles = after.cycles.map((cycle, position) =>
    cycle === before.cycles[position] ? cycle : { ...cycle, updatedAt: at },
  )
  const isSame = after.plan === before.plan && cycles.every((cycle, index) => cycle === before.cycles[index])
  return { ...after, plan: isSame ? after.plan : { ...after.plan, updatedAt: at }, cycles }
}

async function scheduleEarliest(tx: Tx, plans: readonly PlanAggregate[]): Promise<void> {
  const earliest = earliestOf(plans.map(({ plan }) => plan.due?.at))
  if (earliest !== null) await scheduleJob(tx, RECURRING_JOB, earliest)
}

function isSameSchedule(
  a: Pick<Plan, 'due' | 'nextExecuteAt'>,
  b: Pick<Plan, 'due' | 'nextExecuteAt'>,
): boolean {
  return (
    isSameInstant(a.due?.at, b.due?.at) &&
    a.due?.kind === b.due?.kind &&
    a.due?.orderId === b.due?.orderId &&
    isSameInstant(a.nextExecuteAt, b.nextExecuteAt)
  )
}

function isSameInstant(a: Instant | null | undefined, b: Instant | null | undefined): boolean {
  return a?.epochMilliseconds === b?.epochMilliseconds
}

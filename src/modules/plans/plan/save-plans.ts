import { earliestOf, type Instant } from '#kernel/clock'
import type { NewEvent } from '#platform/events/events'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { withDue } from '../timeline/timeline.ts'
import type { PlanView, PlansContext, SavedPlan } from '../context.ts'
import { RECURRING_JOB } from '../job-names.ts'
import type { Cycle, Plan, PlanAggregate, PlanOrder } from '../model/plan.ts'
import { type CouponOfPlan, updatePlanCoupons } from '../storage/plan-coupon.repository.ts'
import { updateGivenCredit } from '../storage/given-credit.repository.ts'
import { updatePaidFirst, updatePlanOrders } from '../storage/plan-order.repository.ts'
import { isChangeDifferent, updatePlanChanges } from '../storage/plan-change.repository.ts'
import { updateCycles, updatePlans } from '../storage/plan.repository.ts'
import { type PreloadedRelations, viewPlan, viewPlans } from './view-plans.ts'

/**
 * Saves the changed rows of many plans with one statement a table, writes the plans' events and schedules the next run of the
 * job. The caller holds the plans' locks and inserts new orders itself. The statements are deferred to the end of the
 * transaction.
 * @returns the plans as they were saved, and views of those that have events
 */
export async function savePlans(
  ctx: PlansContext,
  tx: Tx,
  changes: readonly SavedPlan[],
  preloaded?: PreloadedRelations,
): Promise<{ readonly saved: readonly PlanAggregate[]; readonly views: readonly PlanView[] }> {
  const saved = deferUpdates(tx, changes)
  const times = new Map(changes.map(({ after, at }) => [after.plan.id, at]))
  const views = await recordPlanEvents(ctx, tx, saved, ({ plan }) => times.get(plan.id) ?? tx.now, preloaded)
  const after = changes.map(({ before, at }, index) => ({ before, after: saved[index] ?? before, at }))
  for (const handle of ctx.savedHandlers) await handle(tx, after)
  return { saved, views }
}

export async function savePlan(ctx: PlansContext, tx: Tx, change: SavedPlan): Promise<PlanView> {
  const { saved, views } = await savePlans(ctx, tx, [change])
  return views[0] ?? viewPlan(ctx, tx, saved[0] ?? change.after, change.at)
}

/**
 * Writes the events of plans. The caller holds the plans' locks.
 * @returns the plans that have events
 */
export async function recordPlanEvents(
  ctx: PlansContext,
  tx: Tx,
  plans: readonly PlanAggregate[],
  timeOf: (aggregate: PlanAggregate) => Instant,
  preloaded?: PreloadedRelations,
): Promise<PlanView[]> {
  const changed = plans.filter(({ events }) => events.length > 0)
  if (changed.length === 0) return []
  const prepared = ctx.events.prepare(tx)
  const views = await viewPlans(ctx, tx, changed, timeOf, preloaded)
  const newEvents = views.flatMap((view): NewEvent[] => {
    const { plan, events } = view.aggregate
    const timestamp = timeOf(view.aggregate)
    const dataOf = ctx.present.eventData(view)
    return events.map((event) => ({
      type: event.type,
      objectId: plan.id,
      timestamp,
      data: dataOf(event),
      keepsActor: true,
    }))
  })
  await ctx.events.append(tx, newEvents, prepared)
  return views
}

function deferUpdates(tx: Tx, changes: readonly SavedPlan[]): PlanAggregate[] {
  const saved: PlanAggregate[] = []
  const plans: Plan[] = []
  const changedPlans: Plan[] = []
  const cycles: Cycle[] = []
  const orders: PlanOrder[] = []
  const coupons: CouponOfPlan[] = []
  for (const { before, after, at } of changes) {
    const aggregate = withUpdatedAt(before, withDue(after, at), at)
    saved.push(aggregate)
    if (aggregate.plan !== before.plan) plans.push(aggregate.plan)
    if (isChangeDifferent(before.plan, aggregate.plan)) changedPlans.push(aggregate.plan)
    cycles.push(...aggregate.cycles.filter((cycle) => cycle !== before.cycles[cycle.position]))
    orders.push(...changedOrders(before, aggregate))
    coupons.push(...changedCoupons(before, aggregate))
  }
  tx.defer(updatePlans(tx, plans))
  tx.defer(updatePlanChanges(tx, changedPlans))
  tx.defer(updateCycles(tx, cycles))
  tx.defer(updatePlanOrders(tx, orders))
  tx.defer(updateGivenCredit(tx, orders.filter(hasOtherCredit(changes))))
  tx.defer(updatePaidFirst(tx, orders.filter(endsPaidFirst(changes))))
  tx.defer(updatePlanCoupons(tx, coupons))
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

function hasOtherCredit(changes: readonly SavedPlan[]): (order: PlanOrder) => boolean {
  const before = new Map(
    changes.flatMap(({ before: { orders } }) => orders.map((order) => [order.orderId, order.givenCredit])),
  )
  return ({ orderId, givenCredit }) => givenCredit !== before.get(orderId)
}

function endsPaidFirst(changes: readonly SavedPlan[]): (order: PlanOrder) => boolean {
  const waiting = new Set(
    changes.flatMap(({ before: { orders } }) =>
      orders.filter(({ paidFirst }) => paidFirst === 'waiting').map(({ orderId }) => orderId),
    ),
  )
  return ({ orderId, paidFirst }) => paidFirst !== 'waiting' && waiting.has(orderId)
}

function changedCoupons(before: PlanAggregate, { plan, coupons }: PlanAggregate): CouponOfPlan[] {
  if (coupons === before.coupons) return []
  const previous = new Map(before.coupons.map((coupon) => [coupon.position, coupon]))
  return coupons.flatMap((coupon) => {
    const old = previous.get(coupon.position)
    return old !== undefined && old !== coupon ? [{ ...coupon, planId: plan.id }] : []
  })
}

/** A changed cycle or coupon also updates its plan, because the plan shows them. */
function withUpdatedAt(before: PlanAggregate, after: PlanAggregate, at: Instant): PlanAggregate {
  const cycles = after.cycles.map((cycle, position) =>
    cycle === before.cycles[position] ? cycle : { ...cycle, updatedAt: at },
  )
  const isSame =
    after.plan === before.plan &&
    after.coupons === before.coupons &&
    cycles.every((cycle, index) => cycle === before.cycles[index])
  return { ...after, plan: isSame ? after.plan : { ...after.plan, updatedAt: at }, cycles }
}

async function scheduleEarliest(tx: Tx, plans: readonly PlanAggregate[]): Promise<void> {
  const earliest = earliestOf(plans.map(({ plan }) => plan.due?.at))
  if (earliest !== null) await scheduleJob(tx, RECURRING_JOB, earliest)
}

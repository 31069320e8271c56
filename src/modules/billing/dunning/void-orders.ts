import { timeOfChange } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { JobRun } from '#platform/jobs/jobs'
import type { BillingContext } from '../context.ts'
import { isStillDue, loadPlans, markBlocked, savePlans } from '#modules/plans'
import type { DuePlan } from '../storage/due-plan.repository.ts'

/**
 * Voids the orders whose grace ended. Payments voids them, and `applyOrderChanges` then changes the plans.
 * @returns whether some voids wait for a payment, a refund or another void
 */
export async function voidOrders(
  ctx: BillingContext,
  run: JobRun,
  duePlans: readonly DuePlan[],
): Promise<{ readonly hasBlocked: boolean }> {
  const orders = duePlans.flatMap(({ due }) =>
    due.orderId === null ? [] : [{ orderId: due.orderId, at: run.timeOf(due.at) }],
  )
  if (orders.length === 0) return { hasBlocked: false }
  const results = await ctx.payments.voidOrdersNow(run.businessId, orders, (tx) =>
    ordersStillDue(tx, duePlans),
  )
  const blocked = duePlans.filter(({ due }) => results.get(due.orderId ?? '') === 'waiting')
  if (blocked.length === 0) return { hasBlocked: false }
  await ctx.db.transact(run.businessId, (tx) => markVoidsBlocked(ctx, tx, run, blocked))
  return { hasBlocked: true }
}

async function ordersStillDue(tx: Tx, duePlans: readonly DuePlan[]): Promise<ReadonlySet<string>> {
  const plans = await loadPlans(tx, {
    planIds: duePlans.map(({ planId }) => planId),
    lock: 'wait',
    bills: false,
  })
  return new Set(
    duePlans.flatMap(({ planId, due }) => {
      const aggregate = plans.get(planId)
      return aggregate !== undefined && isStillDue(aggregate.plan, due) ? (due.orderId ?? []) : []
    }),
  )
}

/**
 * Blocks orders while `payments` continues their void. A void that `payments` abandoned has already ended, such as a
 * merchant's void of a settled payment. Its order stays due, and the next search voids it by the rules of the grace period.
 */
async function markVoidsBlocked(
  ctx: BillingContext,
  tx: Tx,
  run: JobRun,
  duePlans: readonly DuePlan[],
): Promise<void> {
  // A void that ends needs the plan's lock, so an order that is read under the lock is current.
  const plans = await loadPlans(tx, {
    planIds: duePlans.map(({ planId }) => planId),
    lock: 'wait',
    bills: false,
  })
  const orders = await ctx.payments.findOrders(
    tx,
    duePlans.flatMap(({ due }) => due.orderId ?? []),
  )
  const changes = duePlans.flatMap(({ planId, due }) => {
    const before = plans.get(planId)
    const { orderId } = due
    if (before === undefined || orderId === null) return []
    const isVoiding = orders.get(orderId)?.order.voiding != null
    if (!isVoiding || !before.orders.some((order) => order.orderId === orderId)) return []
    const at = timeOfChange(before.plan, run.timeOf(due.at))
    return [{ before, after: markBlocked(before, orderId), at }]
  })
  await savePlans(ctx, tx, changes)
}

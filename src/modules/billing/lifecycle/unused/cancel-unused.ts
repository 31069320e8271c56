import { type Instant, timeOfChange } from '#kernel/clock'
import type { LockedOrders } from '#modules/payments'
import type { Caller } from '#platform/caller'
import type { TaxAnswers } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import { createWaitingOrder } from '../../orders/create-plan-order.ts'
import {
  accepted,
  cancel,
  currentCycle,
  currentPeriod,
  decideUnused,
  findCycleItems,
  findOrderPeriods,
  ordersOfPeriod,
  type PlanAggregate,
  type PlanView,
  recordPlanEvents,
  referenceOf,
  requirePlan,
  savePlan,
  type Unused,
  withDue,
  withPlan,
} from '#modules/plans'
import { refuseAwaiting, voidingAwaited } from '../../paid-first/void-awaited.ts'
import { requireOpenToday } from '../../closed-days/require-open-today.ts'
import { billedOfPeriod, openOrders } from '../../changes/sets/decide-billed-period.ts'
import { creditOrders } from '../../changes/sets/save-changes.ts'
import type { BillingContext } from '../../context.ts'
import { ConcurrentPlanChange, onceUnlessConcurrent } from '../../concurrent-change.ts'

/** Cancels at once, and gives back the unused part of the period. */
export function cancelAndRefund(ctx: BillingContext, caller: Caller, id: string): Promise<PlanView> {
  return voidingAwaited(ctx, caller, () =>
    onceUnlessConcurrent(ctx, caller, (tx, answers) => cancelUnused(ctx, tx, id, answers)),
  )
}

/** Orders are locked before their plan. If the plan then has another order, the cancellation begins anew. */
async function cancelUnused(ctx: BillingContext, tx: Tx, id: string, answers: TaxAnswers): Promise<PlanView> {
  const found = await requirePlan(tx, id)
  const orderIds = await orderIdsOfPeriod(ctx, tx, found)
  const locked = await ctx.payments.lockOrdersToCredit(tx, orderIds)
  const before = await requirePlan(tx, id, { lock: 'wait', answers })
  refuseAwaiting(before)
  if (before.plan.lastSuffix !== found.plan.lastSuffix) throw new ConcurrentPlanChange(id)
  const at = timeOfChange(before.plan, tx.now)
  const unused = await unusedOf(ctx, tx, before, orderIds, locked, at)
  let aggregate = accepted(cancel(before, at, false))
  await recordPlanEvents(ctx, tx, [withDue(aggregate, at)], () => at)
  aggregate = { ...aggregate, events: [] }
  const issuesNotes = before.plan.invoicing !== null && (unused?.credits.length ?? 0) > 0
  await requireOpenToday(ctx, tx, issuesNotes || unused?.refund.isPositive() === true)
  if (unused !== null) aggregate = await giveBack(aggregate, unused, locked, at)
  const after = await createWaitingOrder(ctx, tx, aggregate, at)
  answers.requireAll()
  return savePlan(ctx, tx, { before, after, at })
}

/** One query is enough unless changes made a hundred orders in one period. */
const SUFFIXES_PER_QUERY = 100

/** Orders of changes come after the period's own order, so orders are read from the newest until one is of another period. */
async function orderIdsOfPeriod(ctx: BillingContext, tx: Tx, aggregate: PlanAggregate): Promise<string[]> {
  const { plan } = aggregate
  const period = currentPeriod(aggregate, currentCycle(aggregate))
  const ids: string[] = []
  if (period === null) return ids
  for (let last = plan.lastSuffix; last > 0; last -= SUFFIXES_PER_QUERY) {
    const count = Math.min(last, SUFFIXES_PER_QUERY)
    const references = Array.from({ length: count }, (_, index) => referenceOf(plan, last - index))
    const orders = await ctx.payments.ordersOfPlan(tx, plan.id, references)
    const orderIds = orders.map((order) => order.id)
    const found = await ordersOfPeriod(tx, plan.id, period.start, orderIds)
    ids.unshift(...found)
    if (found.length < orders.length) break
  }
  return ids
}

async function unusedOf(
  { invoices }: BillingContext,
  tx: Tx,
  before: PlanAggregate,
  orderIds: readonly string[],
  { orders }: LockedOrders,
  at: Instant,
): Promise<Unused | null> {
  const { plan } = before
  const cycle = currentCycle(before)
  const period = currentPeriod(before, cycle)
  if (period === null || cycle.endAt !== null) return null
  const items = (await findCycleItems(tx, [plan.id])).get(plan.id) ?? []
  const periods = await findOrderPeriods(tx, plan.currentOrderId === null ? [] : [plan.currentOrderId])
  const billed = billedOfPeriod(before, items, orders, periods)
  if (billed === null) return null
  const inOrder = orderIds.flatMap((orderId) => {
    const order = orders.get(orderId)
    return order === undefined ? [] : [[orderId, order] as const]
  })
  return accepted(
    decideUnused({
      aggregate: before,
      items: items[cycle.position] ?? [],
      period,
      billed,
      left: await invoices.leftOfOrderLines(tx, [...orders.values()]),
      orders: openOrders(new Map(inOrder)),
      now: at,
    }),
  )
}

async function giveBack(
  canceled: PlanAggregate,
  { changedPeriod, pendingLines, credits, refund }: Unused,
  locked: LockedOrders,
  at: Instant,
): Promise<PlanAggregate> {
  const aggregate = withPlan(canceled, { changedPeriod, pendingLines })
  if (credits.length === 0 && !refund.isPositive()) return aggregate
  const note = 'Unused part of the period'
  const [credited] = await creditOrders([{ aggregate, credits, at }], locked, { amount: refund, note, at })
  return credited ?? aggregate
}

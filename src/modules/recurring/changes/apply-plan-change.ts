import { type Instant, timeOfChange } from '#kernel/clock'
import { dueTotal, type LockedOrders, type OrderWithTransactions } from '#modules/payments'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { PlanItems } from '../billing/bill-next.ts'
import { createPlanOrder } from '../billing/create-plan-order.ts'
import { netsOfLines } from '../billing/order-lines.ts'
import { withDue } from '../billing/timeline.ts'
import type { PlanView, RecurringContext } from '../context.ts'
import { orderCredited } from '../dunning/dunning.ts'
import { ConcurrentPlanChange } from '../dunning/retry-orders.ts'
import { errors } from '../errors.ts'
import { currentCycle, type PlanAggregate, withEvent, withPlan } from '../model/plan.ts'
import type { ChangedPeriod } from '../model/plan-change.ts'
import { type PreviewedOrder, previewOrders } from '../plan/preview-plan.ts'
import { requirePlan } from '../plan/read-plans.ts'
import { storeConfigs, withStoredConfigs } from '../plan/read-configs.ts'
import { recordPlanEvents, savePlan } from '../plan/save-plans.ts'
import { findCycleItems } from '../storage/catalogue.repository.ts'
import { replaceCycles } from '../storage/plan-change.repository.ts'
import { findOrderPeriod } from '../storage/plan-order.repository.ts'
import { type DecidedChange, decideCycleChange, decidePlanChange, totalOf } from './decide-plan-change.ts'
import { type BillingOrder, type ChangeGround, currentPeriod } from './price-change.ts'
import { type PlanChangeRequest, type ReadChange, readChange, refuseInconsistent } from './read-change.ts'

/** A change as it is shown. The ids of credited orders are their numbers. */
export interface AppliedChange {
  readonly view: PlanView
  readonly change: DecidedChange
  readonly order: OrderWithTransactions | undefined
  readonly at: Instant
}

export interface PreviewedChange {
  readonly aggregate: PlanAggregate
  readonly change: DecidedChange
  readonly orders: readonly PreviewedOrder[]
}

const PREVIEWED_ORDERS = 3

export async function previewPlanChange(
  ctx: RecurringContext,
  { businessId }: Caller,
  id: string,
  request: PlanChangeRequest,
): Promise<PreviewedChange> {
  refuseInconsistent(request)
  const preview = async (tx: Tx) => {
    const aggregate = await requirePlan(tx, id)
    const orders = await ctx.payments.findOrders(tx, billingOrderIds(aggregate))
    const { change, read } = await decide(tx, aggregate, orders, request)
    const scheduled =
      change.state === 'applied'
        ? undefined
        : { items: read.wanted.items, config: read.wanted.rhythm?.config ?? null }
    return {
      aggregate: change.aggregate,
      change,
      orders: previewOrders(change.aggregate, change.items, PREVIEWED_ORDERS, scheduled),
    }
  }
  const work = () => ctx.db.transact(businessId, preview, { isSnapshot: true })
  return ctx.taxes.withEngine(businessId, work, true)
}

export async function changePlanItems(
  ctx: RecurringContext,
  caller: Caller,
  id: string,
  request: PlanChangeRequest,
): Promise<AppliedChange> {
  refuseInconsistent(request)
  return onceUnlessConcurrent(ctx, caller, (tx) => apply(ctx, tx, id, request))
}

/** Begins anew where `work` found that the plan had changed before it was locked. */
export async function onceUnlessConcurrent<Result>(
  ctx: RecurringContext,
  caller: Caller,
  work: (tx: Tx) => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await ctx.taxes.withEngine(caller.businessId, () => once(ctx.db, caller, work))
    } catch (error) {
      if (!(error instanceof ConcurrentPlanChange)) throw error
    }
  }
}

/** Orders are locked before their plan. If the plan has other orders by then, another change came first, and this one begins anew. */
async function apply(
  ctx: RecurringContext,
  tx: Tx,
  id: string,
  request: PlanChangeRequest,
): Promise<AppliedChange> {
  const orderIds = billingOrderIds(await requirePlan(tx, id))
  const locked = await ctx.payments.lockOrdersToCredit(tx, orderIds)
  const before = await requirePlan(tx, id, 'wait')
  if (billingOrderIds(before).join() !== orderIds.join()) throw new ConcurrentPlanChange(id)
  const at = timeOfChange(before.plan, tx.now)
  const { change, read } = await decide(tx, before, locked.orders, request)
  refuseOtherTotal(read, change)
  return save(ctx, tx, { before, at, locked, change: await withStoredConfig(tx, change, read) })
}

/** The orders that billed the items of the current period. */
function billingOrderIds(aggregate: PlanAggregate): string[] {
  const { changedPeriod, currentOrderId } = aggregate.plan
  const ids = changedPeriod?.parts.flatMap((part) => part?.orderId ?? []) ?? []
  return [...new Set(currentOrderId === null ? ids : [...ids, currentOrderId])]
}

async function decide(
  tx: Tx,
  aggregate: PlanAggregate,
  orders: ReadonlyMap<string, OrderWithTransactions>,
  request: PlanChangeRequest,
): Promise<{ change: DecidedChange; read: ReadChange }> {
  const { id } = aggregate.plan
  const items = (await findCycleItems(tx, [id])).get(id) ?? []
  const read = await readChange(tx, request, aggregate, items)
  const ground: ChangeGround = {
    aggregate,
    items,
    billed: await billedOfPeriod(tx, aggregate, items, orders),
    orders: openOrders(orders),
    now: timeOfChange(aggregate.plan, tx.now),
  }
  const { wanted, cyclePosition } = read
  if (cyclePosition === null) return { change: decidePlanChange(ground, wanted), read }
  return { change: decideCycleChange(ground, cyclePosition, wanted), read }
}

export function openOrders(orders: ReadonlyMap<string, OrderWithTransactions>): Map<string, BillingOrder> {
  return new Map(
    [...orders].flatMap(([id, { order }]) => {
      if (order.state !== 'open') return []
      const isBusy = order.reservedTotal.isPositive() || order.voiding !== null
      return [[id, { due: dueTotal(order), isBusy }] as const]
    }),
  )
}

/** Null where the period was not billed. An order that was voided or refunded billed nothing. */
export async function billedOfPeriod(
  tx: Tx,
  aggregate: PlanAggregate,
  items: PlanItems,
  orders: ReadonlyMap<string, OrderWithTransactions>,
): Promise<ChangedPeriod | null> {
  const { changedPeriod, currentOrderId } = aggregate.plan
  const cycle = currentCycle(aggregate)
  const period = currentPeriod(aggregate, cycle)
  if (period === null) return null
  const isGone = (orderId: string) => ['voided', 'refunded'].includes(orders.get(orderId)?.order.state ?? '')
  if (changedPeriod?.start.equals(period.start) === true) {
    const parts = changedPeriod.parts.map((part) =>
      part?.orderId != null && isGone(part.orderId) ? null : part,
    )
    return { ...changedPeriod, parts }
  }
  const order = orders.get(currentOrderId ?? '')?.order
  if (order === undefined || order.lineItems === null) return null
  const billed = await findOrderPeriod(tx, order.id)
  if (billed?.counted !== true || !billed.start.equals(period.start)) return null
  const nets = netsOfLines(order.lineItems, items[cycle.position]?.length ?? 0)
  return {
    start: period.start,
    pricedFrom: period.start,
    parts: nets.map((net, index) => {
      if (isGone(order.id)) return null
      const taxedAs = order.lineItems?.[index]?.billed?.taxedAs
      return { net, from: period.start, orderId: order.id, ...(taxedAs !== undefined && { taxedAs }) }
    }),
  }
}

function refuseOtherTotal({ expectedTotal }: ReadChange, change: DecidedChange): void {
  if (expectedTotal === undefined || totalOf(change).equals(expectedTotal)) return
  throw errors.total_changed({ param: 'change.expected_total', data: { total: totalOf(change) } })
}

async function withStoredConfig(
  tx: Tx,
  change: DecidedChange,
  { newConfigs }: ReadChange,
): Promise<DecidedChange> {
  const stored = await storeConfigs(tx, newConfigs)
  if (stored.size === 0) return change
  const { aggregate } = change
  const { pendingChange } = aggregate.plan
  const config = stored.get(pendingChange?.rhythm?.configId ?? '')
  const cycles = withStoredConfigs(aggregate.cycles, stored)
  if (pendingChange?.rhythm == null || config === undefined) {
    return { ...change, aggregate: { ...aggregate, cycles } }
  }
  const rhythm = { ...pendingChange.rhythm, configId: config.id }
  const plan = { pendingChange: { ...pendingChange, rhythm } }
  return { ...change, aggregate: withPlan({ ...aggregate, cycles }, plan) }
}

interface ChangeToSave {
  readonly before: PlanAggregate
  readonly change: DecidedChange
  readonly locked: LockedOrders
  readonly at: Instant
}

/** The events are those of the plan, then of orders that were credited, then of the new order. */
async function save(
  ctx: RecurringContext,
  tx: Tx,
  { before, change, locked, at }: ChangeToSave,
): Promise<AppliedChange> {
  const { items, replaced, credits } = change
  let { aggregate } = change
  if (replaced !== null) await replaceCycles(tx, [{ aggregate, items, replaced }])
  await recordPlanEvents(ctx, tx, [withDue(aggregate, at)], () => at)
  aggregate = { ...aggregate, events: [] }
  if (credits.length > 0) aggregate = await creditOrders(aggregate, locked, { credits, at })
  let created: OrderWithTransactions | undefined
  if (change.order !== null) {
    const { aggregate: ordered, order } = await createPlanOrder(ctx, tx, aggregate, change.order, at)
    aggregate = ordered
    created = { order, transactions: [] }
  }
  const view = await savePlan(ctx, tx, { before, after: aggregate, at })
  return { view, change, order: created, at }
}

interface CreditedOrders {
  readonly credits: DecidedChange['credits']
  readonly refund?: Parameters<LockedOrders['credit']>[3]
  readonly at: Instant
}

export async function creditOrders(
  before: PlanAggregate,
  locked: LockedOrders,
  { credits, refund, at }: CreditedOrders,
): Promise<PlanAggregate> {
  const orders = await locked.credit(credits, at, originOf(before), refund)
  let aggregate = before
  for (const { orderId } of credits) {
    const state = orders.get(orderId)?.order.state
    if (state === 'completed' || state === 'voided') {
      aggregate = orderCredited(aggregate, orderId, state === 'voided' ? 'voided' : 'paid', at)
    }
  }
  return aggregate
}

function originOf({ plan, orders }: PlanAggregate) {
  const { callbackUrl } = plan
  const callbackUrls = new Map(
    callbackUrl === null ? [] : orders.map(({ orderId }) => [orderId, callbackUrl]),
  )
  return { module: 'recurring', callbackUrls } as const
}

export async function removePendingChange(
  ctx: RecurringContext,
  caller: Caller,
  id: string,
): Promise<PlanView> {
  return once(ctx.db, caller, async (tx) => {
    const before = await requirePlan(tx, id, 'wait')
    if (before.plan.pendingChange === null) throw errors.nothing_scheduled()
    const after = withEvent(withPlan(before, { pendingChange: null }), { type: 'plan.change_removed' })
    return savePlan(ctx, tx, { before, after, at: timeOfChange(before.plan, tx.now) })
  })
}

import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import type { Order, OrderChangeOrigin } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { BillingContext } from '../context.ts'
import {
  type Bill,
  billWaiting,
  insertPlanOrders,
  invoicedOrder,
  NEW_PLAN_ORDER,
  type NewPlanOrder,
  nextOrderId,
  type OrderBill,
  orderToInvoice,
  type Plan,
  type PlanAggregate,
  type PlanOrder,
  referenceOf,
  refreshStates,
  sendsInvoices,
  startGrace,
  withPlan,
} from '#modules/plans'
import { requireOpenToday } from '../closed-days/require-open-today.ts'
import { bookGivenCredit, withoutTaken } from '../credit/book-given-credit.ts'

/** - `isInvoicedOncePaid`: The order gets its invoice with its payment, so that a decline takes no number. */
export interface PlanBill {
  readonly aggregate: PlanAggregate
  readonly bill: OrderBill
  readonly at: Instant
  readonly reserved?: Money | undefined
  readonly isInvoicedOncePaid?: boolean
}

export interface OrderOfPlan {
  readonly aggregate: PlanAggregate
  readonly order: Order
}

/** Creates an order for each of these plans at once, outside a billing run. The job attempts them a moment later. */
export async function createPlanOrders(
  ctx: BillingContext,
  tx: Tx,
  bills: readonly PlanBill[],
): Promise<OrderOfPlan[]> {
  if (bills.length === 0) return []
  const created = await createNumberedOrders(ctx, tx, bills)
  const planOrders: NewPlanOrder[] = []
  const numbered = bills.map((bill) => ({ ...bill, ...numberedOrder(created, bill.bill) }))
  const taken = await bookGivenCredit(ctx, tx, numbered)
  const ordered = numbered.map(({ aggregate: billed, bill, at, order, suffix }): OrderOfPlan => {
    const aggregate = withoutTaken(billed, taken.get(billed.plan.id))
    const { plan } = aggregate
    const planOrder: PlanOrder = {
      ...newPlanOrder(plan.id, order, bill, suffix),
      nextAttemptAt: order.state === 'open' && !sendsInvoices(plan) ? at : null,
    }
    planOrders.push({ ...planOrder, periodStart: bill.period.start })
    return { aggregate: afterWaiting(withNewestOrder(aggregate, planOrder), at), order }
  })
  tx.defer(insertPlanOrders(tx, planOrders))
  return ordered
}

/** Bills waiting lines that no other order will bill. */
export async function createWaitingOrder(
  ctx: BillingContext,
  tx: Tx,
  aggregate: PlanAggregate,
  at: Instant,
): Promise<PlanAggregate> {
  const { aggregate: booked, bill } = billWaiting(aggregate, at)
  if (bill === undefined) return aggregate
  await requireOpenToday(ctx, tx, aggregate.plan.invoicing !== null)
  const orderId = nextOrderId(booked, at)
  const [created] = await createPlanOrders(ctx, tx, [{ aggregate: booked, bill: { ...bill, orderId }, at }])
  return created?.aggregate ?? booked
}

export function withNewestOrder(aggregate: PlanAggregate, order: PlanOrder): PlanAggregate {
  const { suffix: lastSuffix, orderId: currentOrderId } = order
  return withPlan({ ...aggregate, orders: [...aggregate.orders, order] }, { lastSuffix, currentOrderId })
}

/** The order of waiting lines may be the last thing that an ended plan waits for. */
export function afterWaiting(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  return aggregate.plan.state === 'canceled' ? startGrace(aggregate, at) : refreshStates(aggregate)
}

interface NumberedOrder {
  readonly order: Order
  readonly suffix: number
}

export async function createNumberedOrders(
  ctx: BillingContext,
  tx: Tx,
  bills: readonly PlanBill[],
): Promise<Map<string, NumberedOrder>> {
  const origin = originOf(bills)
  const created = new Map<string, NumberedOrder>()
  const invoices = await ctx.invoices.prepare(
    tx,
    bills.flatMap(({ aggregate, bill, at, isInvoicedOncePaid }) =>
      isInvoicedOncePaid === true ? [] : orderToInvoice(aggregate.plan, bill, at),
    ),
  )
  let remaining = bills.map((bill) => ({ ...bill, suffix: bill.aggregate.plan.lastSuffix + 1 }))
  while (remaining.length > 0) {
    const newOrders = remaining.map(({ aggregate: { plan }, bill, suffix, at, reserved }) => ({
      ...invoicedOrder(plan, bill, suffix, at, invoices.get(bill.orderId)),
      ...(reserved !== undefined && { reserved }),
    }))
    const orders = await ctx.payments.createOrders(tx, newOrders, origin)
    const taken: typeof remaining = []
    for (const [index, bill] of remaining.entries()) {
      const order = orders[index]
      if (order === undefined) taken.push(bill)
      else created.set(order.id, { order, suffix: bill.suffix })
    }
    remaining = []
    for (const bill of taken) {
      const suffix = await freeSuffix(ctx, tx, bill.aggregate.plan, bill.suffix)
      remaining.push({ ...bill, suffix })
    }
  }
  await ctx.invoices.issue(tx, [...invoices.values()])
  return created
}

function numberedOrder(created: ReadonlyMap<string, NumberedOrder>, { orderId }: OrderBill): NumberedOrder {
  const found = created.get(orderId)
  if (found === undefined) throw new Error(`order ${orderId} was not created`)
  return found
}

export function originOf(bills: readonly Pick<PlanBill, 'aggregate' | 'bill'>[]): OrderChangeOrigin {
  const callbackUrls = new Map(
    bills.flatMap(({ aggregate: { plan }, bill }): [string, string][] =>
      plan.callbackUrl === null ? [] : [[bill.orderId, plan.callbackUrl]],
    ),
  )
  return { module: 'recurring', callbackUrls }
}

/** One query is enough unless other orders have taken a hundred of the plan's references in a row. */
const SUFFIXES_PER_QUERY = 100

/** Returns the first suffix after `taken` whose reference number no order has. */
async function freeSuffix(ctx: BillingContext, tx: Tx, plan: Plan, taken: number): Promise<number> {
  for (let suffix = taken + 1; ; suffix += SUFFIXES_PER_QUERY) {
    const candidates = Array.from({ length: SUFFIXES_PER_QUERY }, (_, offset) => suffix + offset)
    const references = candidates.map((candidate) => referenceOf(plan, candidate))
    const found = await ctx.payments.takenReferences(tx, references)
    const free = candidates.find((candidate) => !found.has(referenceOf(plan, candidate)))
    if (free !== undefined) return free
  }
}

export function newPlanOrder(planId: string, order: Order, bill: Bill, suffix: number): PlanOrder {
  return {
    ...NEW_PLAN_ORDER,
    orderId: order.id,
    planId,
    cyclePosition: bill.period.cyclePosition,
    suffix,
    counted: bill.counted,
    state: order.state === 'open' ? 'open' : 'paid',
    credit: bill.lines.creditUsed,
    createdAt: order.createdAt,
  }
}

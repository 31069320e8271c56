import type { Instant } from '#kernel/clock'
import type { IssuedInvoice } from '#modules/invoices'
import type { Order } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { RecurringContext } from '../context.ts'
import { startGrace } from '../changes/cancel-now.ts'
import { refreshStates } from '../dunning/dunning.ts'
import { NEW_PLAN_ORDER, type Plan, type PlanAggregate, type PlanOrder, withPlan } from '../model/plan.ts'
import { insertPlanOrders } from '../storage/plan-order.repository.ts'
import { insertCredits, type NewCreditRow } from '../storage/plan.repository.ts'
import { type Bill, billWaiting } from './bill-next.ts'
import { nextOrderId, referenceOf } from './period-order.ts'
import { invoicedOrder, orderToInvoice, sendsInvoices } from '../invoices/plan-invoice.ts'

/** - `orderId`: Known before the order is made, because what was billed of an item refers to it. */
export interface OrderBill extends Bill {
  readonly orderId: string
}

/** Creates an order at once, outside a billing run. The job attempts it a moment later. */
export async function createPlanOrder(
  ctx: RecurringContext,
  tx: Tx,
  aggregate: PlanAggregate,
  bill: OrderBill,
  at: Instant,
): Promise<{ readonly aggregate: PlanAggregate; readonly order: Order }> {
  const { plan } = aggregate
  const invoices = await ctx.invoices.prepare(tx, orderToInvoice(plan, bill, at))
  const { order, suffix } = await createWithFreeSuffix(ctx, tx, plan, bill, at, invoices.get(bill.orderId))
  await ctx.invoices.issue(tx, [...invoices.values()])
  const planOrder: PlanOrder = {
    ...newPlanOrder(plan.id, order, bill, suffix),
    nextAttemptAt: order.state === 'open' && !sendsInvoices(plan) ? at : null,
  }
  tx.defer(insertPlanOrders(tx, [{ ...planOrder, periodStart: bill.period.start }]))
  tx.defer(insertCredits(tx, creditsGiven(plan, bill, order, at)))
  return { aggregate: afterWaiting(withNewestOrder(aggregate, planOrder), at), order }
}

/** Bills the lines that no other order will take. */
export async function createWaitingOrder(
  ctx: RecurringContext,
  tx: Tx,
  aggregate: PlanAggregate,
  at: Instant,
): Promise<PlanAggregate> {
  const { aggregate: booked, bill } = billWaiting(aggregate, at)
  if (bill === undefined) return aggregate
  const orderId = nextOrderId(booked, at)
  return (await createPlanOrder(ctx, tx, booked, { ...bill, orderId }, at)).aggregate
}

export function withNewestOrder(aggregate: PlanAggregate, order: PlanOrder): PlanAggregate {
  const { suffix: lastSuffix, orderId: currentOrderId } = order
  return withPlan({ ...aggregate, orders: [...aggregate.orders, order] }, { lastSuffix, currentOrderId })
}

/** The order of waiting lines may be the last thing that an ended plan waits for. */
export function afterWaiting(aggregate: PlanAggregate, at: Instant): PlanAggregate {
  return aggregate.plan.state === 'canceled' ? startGrace(aggregate, at) : refreshStates(aggregate)
}

async function createWithFreeSuffix(
  ctx: RecurringContext,
  tx: Tx,
  plan: Plan,
  bill: OrderBill,
  at: Instant,
  invoice: IssuedInvoice | undefined,
): Promise<{ order: Order; suffix: number }> {
  const callbackUrls = new Map(plan.callbackUrl === null ? [] : [[bill.orderId, plan.callbackUrl]])
  for (let suffix = plan.lastSuffix + 1; ; suffix = await freeSuffix(ctx, tx, plan, suffix)) {
    const origin = { module: 'recurring', callbackUrls } as const
    const [order] = await ctx.payments.createOrders(
      tx,
      [invoicedOrder(plan, bill, suffix, at, invoice)],
      origin,
    )
    if (order !== undefined) return { order, suffix }
  }
}

const SUFFIXES_PER_QUERY = 100

/** Returns the first suffix after `taken` whose reference number no order has. */
export async function freeSuffix(ctx: RecurringContext, tx: Tx, plan: Plan, taken: number): Promise<number> {
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

/** What an order gives to the plan's credit is a grant like any other. */
export function creditsGiven({ id }: Plan, { lines }: Bill, order: Order, at: Instant): NewCreditRow[] {
  if (!lines.toCredit.isPositive()) return []
  return [{ planId: id, amount: lines.toCredit, note: order.referenceNumber, at }]
}

import { type Instant, isAfter } from '#kernel/clock'
import { isChargeable, type PaymentToken } from '#modules/customers'
import type { IssuedInvoice } from '#modules/invoices'
import type { NewOrder, Order, OrderChangeOrigin, OrderWithTransactions } from '#modules/payments'
import { TaxesUnanswered } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import {
  type Attempt,
  type AttemptResult,
  initiateAttempts,
  type InitiatedCharges,
  initiatedCharges,
  tokenToSend,
} from '../dunning/initiate-attempts.ts'
import { attemptFailed, attemptInitiated, attemptWaits } from '../dunning/dunning.ts'
import type { RecurringContext } from '../context.ts'
import type { StepGround } from '../lifecycle/take-life-step.ts'
import type { PlanItems, ReplacedCycles, ScheduledChange } from './bill-next.ts'
import {
  afterWaiting,
  creditsGiven,
  freeSuffix,
  newPlanOrder,
  type OrderBill,
  withNewestOrder,
} from './create-plan-order.ts'
import { nextOrderId } from './period-order.ts'
import { invoicedOrder, orderToInvoice, sendsInvoices } from '../invoices/plan-invoice.ts'
import type { DuePlan } from '../storage/due-plan.repository.ts'
import { loadPlans } from '../storage/plan-aggregate.repository.ts'
import { insertPlanOrders, type NewPlanOrder } from '../storage/plan-order.repository.ts'
import type { PlanAggregate } from '../model/plan.ts'
import { findCycleItems } from '../storage/catalogue.repository.ts'
import { findScheduledChanges, replaceCycles, type ReplacedPlan } from '../storage/plan-change.repository.ts'
import { insertCredits, type NewCreditRow } from '../storage/plan.repository.ts'
import { findRefusedTokens, type RefusedToken } from '../storage/dunning/refused-token.repository.ts'
import { type PlanChange, savePlans } from '../plan/save-plans.ts'
import { takeTimelineStep } from '../lifecycle/timeline-step.ts'

interface Step {
  readonly before: PlanAggregate
  readonly aggregate: PlanAggregate
  readonly items: PlanItems
  readonly replaced?: ReplacedCycles | undefined
  readonly at: Instant
  readonly bill: StepBill | undefined
}

interface StepBill extends OrderBill {
  readonly suffix: number
}

interface BillingStep extends Step {
  readonly bill: StepBill
}

interface StepWithOrder extends Step {
  readonly order?: Order
}

interface LockedPlans {
  readonly plans: ReadonlyMap<string, PlanAggregate>
  readonly items: ReadonlyMap<string, PlanItems>
  readonly scheduled: ReadonlyMap<string, ScheduledChange>
  readonly tokens: ReadonlyMap<string, PaymentToken>
  readonly refused: ReadonlyMap<string, RefusedToken>
}

export interface TimelineRun {
  readonly duePlans: readonly DuePlan[]
  readonly until: Instant
  readonly timeOf: (dueAt: Instant) => Instant
}

/**
 * Takes plans one step along their timelines in the caller's transaction: starts and ends cycles, creates the orders of
 * periods that begin and initiates their first attempts. Every stage is one statement for all plans.
 */
export async function advancePlans(
  ctx: RecurringContext,
  tx: Tx,
  run: TimelineRun,
): Promise<InitiatedCharges> {
  const locked = await lockPlans(ctx, tx, run.duePlans)
  const steps = decideSteps(locked, run)
  await replaceCycles(tx, replacedPlans(steps))
  const origin: OrderChangeOrigin = { module: 'recurring', callbackUrls: callbackUrlsOf(steps) }
  const billed = await createOrders(ctx, tx, steps, locked, origin)
  const attempts = await initiateFirstAttempts(ctx, tx, billed, locked, origin)
  await saveSteps(ctx, tx, billed, attempts, locked)
  return { plansChanged: steps.length, charges: initiatedCharges(attempts) }
}

async function lockPlans(ctx: RecurringContext, tx: Tx, duePlans: readonly DuePlan[]): Promise<LockedPlans> {
  const planIds = duePlans.map(({ planId }) => planId)
  const customerUuids = [...new Set(duePlans.map(({ customerUuid }) => customerUuid))]
  const [plans, items, tokens] = await Promise.all([
    loadPlans(tx, { planIds, lock: 'skip' }),
    findCycleItems(tx, planIds),
    ctx.customers.defaultTokens(tx, customerUuids),
  ])
  const [refused, scheduled] = await Promise.all([
    findRefusedTokens(tx, tokens),
    findScheduledChanges(tx, plans),
  ])
  return { plans, items, scheduled, tokens, refused }
}

/** Leaves out plans that changed between the search and the lock. @throws TaxesUnanswered for all plans of the batch together */
function decideSteps(
  { plans, items, scheduled, tokens }: LockedPlans,
  { until, timeOf }: TimelineRun,
): Step[] {
  const unanswered: TaxesUnanswered[] = []
  const steps = [...plans.values()].flatMap((aggregate) => {
    const { id, customerUuid, due } = aggregate.plan
    if (due === null || due.kind !== 'timeline' || isAfter(due.at, until)) return []
    const at = timeOf(due.at)
    const token = tokens.get(customerUuid)
    const hasChargeableToken = token !== undefined && isChargeable(token, at)
    const ground = { at, hasChargeableToken }
    try {
      return [decideStep(aggregate, due.at, ground, items.get(id) ?? [], scheduled.get(id))]
    } catch (error) {
      if (!(error instanceof TaxesUnanswered)) throw error
      unanswered.push(error)
      return []
    }
  })
  if (unanswered.length === 0) return steps
  throw new TaxesUnanswered(unanswered.flatMap(({ questions }) => questions))
}

function decideStep(
  before: PlanAggregate,
  dueAt: Instant,
  ground: StepGround,
  items: PlanItems,
  scheduled: ScheduledChange | undefined,
): Step {
  const { at } = ground
  const next = takeTimelineStep(before, items, dueAt, ground, scheduled)
  return {
    before,
    ...next,
    at,
    bill: next.bill && {
      ...next.bill,
      orderId: nextOrderId(before, next.bill.period.start),
      suffix: before.plan.lastSuffix + 1,
    },
  }
}

function replacedPlans(steps: readonly Step[]): ReplacedPlan[] {
  return steps.flatMap(({ aggregate, items, replaced }) =>
    replaced === undefined ? [] : [{ aggregate, items, replaced }],
  )
}

function callbackUrlsOf(steps: readonly Step[]): Map<string, string> {
  return new Map(
    steps.flatMap(({ aggregate, bill }): [string, string][] => {
      const { callbackUrl } = aggregate.plan
      return bill === undefined || callbackUrl === null ? [] : [[bill.orderId, callbackUrl]]
    }),
  )
}

async function createOrders(
  ctx: RecurringContext,
  tx: Tx,
  steps: readonly Step[],
  locked: LockedPlans,
  origin: OrderChangeOrigin,
): Promise<StepWithOrder[]> {
  const withOrder = new Map<string, StepWithOrder>()
  let remaining = steps.filter((step): step is BillingStep => step.bill !== undefined)
  const invoices = await ctx.invoices.prepare(
    tx,
    remaining.flatMap(({ aggregate, bill, at }) => orderToInvoice(aggregate.plan, bill, at)),
  )
  while (remaining.length > 0) {
    const newOrders = remaining.map((step) => newOrderOfStep(step, locked, invoices))
    const orders = await ctx.payments.createOrders(tx, newOrders, origin)
    const referenceTaken: BillingStep[] = []
    for (const [index, step] of remaining.entries()) {
      const order = orders[index]
      if (order === undefined) referenceTaken.push(step)
      else withOrder.set(order.id, { ...step, order })
    }
    remaining = []
    for (const step of referenceTaken) remaining.push(await withFreeSuffix(ctx, tx, step))
  }
  await ctx.invoices.issue(tx, [...invoices.values()])
  return steps.map((step) => withOrder.get(step.bill?.orderId ?? '') ?? step)
}

function newOrderOfStep(
  { aggregate: { plan }, at, bill }: BillingStep,
  { tokens, refused }: LockedPlans,
  invoices: ReadonlyMap<string, IssuedInvoice>,
): NewOrder {
  const order = invoicedOrder(plan, bill, bill.suffix, at, invoices.get(bill.orderId))
  const token = tokenToSend(tokens.get(plan.customerUuid), refused, at)
  return token === undefined || sendsInvoices(plan) ? order : { ...order, reserved: bill.lines.total }
}

async function withFreeSuffix(ctx: RecurringContext, tx: Tx, step: BillingStep): Promise<BillingStep> {
  const suffix = await freeSuffix(ctx, tx, step.aggregate.plan, step.bill.suffix)
  return { ...step, bill: { ...step.bill, suffix } }
}

async function initiateFirstAttempts(
  ctx: RecurringContext,
  tx: Tx,
  steps: readonly StepWithOrder[],
  { tokens, refused }: LockedPlans,
  origin: OrderChangeOrigin,
): Promise<ReadonlyMap<string, AttemptResult>> {
  const attempts = steps.flatMap(({ aggregate, order, at }): Attempt[] => {
    if (order === undefined || order.state !== 'open' || sendsInvoices(aggregate.plan)) return []
    const token = tokens.get(aggregate.plan.customerUuid)
    const waitsForToken = aggregate.policy?.hard === 'wait'
    return [{ orderId: order.id, token, amount: order.initialTotal, at, waitsForToken }]
  })
  if (attempts.length === 0) return new Map()
  const created = steps.flatMap(({ order }) => order ?? [])
  return initiateAttempts(ctx.payments, tx, attempts, refused, origin, created)
}

async function saveSteps(
  ctx: RecurringContext,
  tx: Tx,
  steps: readonly StepWithOrder[],
  attempts: ReadonlyMap<string, AttemptResult>,
  { tokens }: LockedPlans,
): Promise<void> {
  const items = new Map(steps.map((step) => [step.aggregate.plan.id, step.items]))
  const changes = steps.map((step) => changeOf(step, attempts))
  const newOrders = changes.flatMap(({ newOrder }) => newOrder ?? [])
  tx.defer(insertPlanOrders(tx, newOrders))
  tx.defer(
    insertCredits(
      tx,
      changes.flatMap(({ credits }) => credits ?? []),
    ),
  )
  await savePlans(ctx, tx, changes, { items, tokens, orders: currentOrders(steps, attempts) })
}

interface StepChange extends PlanChange {
  readonly newOrder?: NewPlanOrder | undefined
  readonly credits?: readonly NewCreditRow[]
}

function changeOf(step: StepWithOrder, attempts: ReadonlyMap<string, AttemptResult>): StepChange {
  const { before, aggregate, at, bill, order } = step
  if (bill === undefined || order === undefined) return { before, after: aggregate, at }
  const { plan } = aggregate
  const planOrder = newPlanOrder(plan.id, order, bill, bill.suffix)
  const billed = withNewestOrder(aggregate, planOrder)
  const refreshed = bill.counted ? billed : afterWaiting(billed, at)
  const after = withFirstAttempt(refreshed, order.id, attempts.get(order.id), at)
  const saved = after.orders.find(({ orderId }) => orderId === order.id)
  return {
    before,
    after,
    at,
    newOrder: saved && { ...saved, periodStart: bill.period.start },
    credits: creditsGiven(plan, bill, order, at),
  }
}

function withFirstAttempt(
  aggregate: PlanAggregate,
  orderId: string,
  result: AttemptResult | undefined,
  at: Instant,
): PlanAggregate {
  if (result === undefined) return aggregate
  switch (result.kind) {
    case 'initiated':
      return attemptInitiated(aggregate, orderId, result.charge.transaction.id, at)
    case 'failed':
      return attemptFailed(
        attemptInitiated(aggregate, orderId, result.transactionId, at),
        orderId,
        at,
        result.decline,
      )
    case 'waits':
      return attemptWaits(aggregate, orderId, at)
    case 'blocked':
    case 'changed':
      throw new Error(`the attempt of the new order ${orderId} is ${result.kind}`)
  }
}

function currentOrders(
  steps: readonly StepWithOrder[],
  attempts: ReadonlyMap<string, AttemptResult>,
): Map<string, OrderWithTransactions> {
  const current = new Map<string, OrderWithTransactions>()
  for (const { order } of steps) {
    if (order === undefined) continue
    const result = attempts.get(order.id)
    if (result?.kind === 'failed') current.set(order.id, result.order)
    else if (result?.kind === 'initiated') {
      const { charge } = result
      current.set(order.id, { order: charge.order, transactions: [charge.transaction] })
    } else current.set(order.id, { order, transactions: [] })
  }
  return current
}

import { type Instant, isAfter } from '#kernel/clock'
import { derivedId } from '#kernel/ids'
import type { PaymentToken } from '#modules/customers'
import type { NewOrder, Order, OrderChangeOrigin, OrderWithTransactions } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import {
  type Attempt,
  type AttemptResult,
  initiateAttempts,
  type InitiatedCharges,
  initiatedCharges,
  tokenToSend,
} from '../dunning/initiate-attempts.ts'
import { findCycleItems } from '../storage/catalogue.repository.ts'
import type { CycleItem } from '../model/catalogue.ts'
import { cancelNow } from '../changes/decide-change.ts'
import { attemptFailed, attemptInitiated } from '../dunning/dunning.ts'
import type { RecurringContext } from '../context.ts'
import type { BilledLines } from './order-lines.ts'
import { billedLinesOf, newOrderOf, referenceOf } from './period-order.ts'
import type { DuePlan } from '../storage/due-plan.repository.ts'
import { loadPlans } from '../storage/plan-aggregate.repository.ts'
import { insertPlanOrders, type NewPlanOrder } from '../storage/plan-order.repository.ts'
import { NEW_PLAN_ORDER, type PlanAggregate, type PlanOrder, withPlan } from '../model/plan.ts'
import { findRefusedTokens, type RefusedToken } from '../storage/refused-token.repository.ts'
import { type PlanChange, savePlans } from '../plan/save-plans.ts'
import { advance, nextTimelineAt, type PeriodToBill } from './timeline.ts'

interface Step {
  readonly before: PlanAggregate
  readonly aggregate: PlanAggregate
  readonly at: Instant
  readonly bill: Bill | undefined
}

interface Bill {
  readonly orderId: string
  readonly period: PeriodToBill
  readonly lines: BilledLines
  readonly suffix: number
}

interface BillingStep extends Step {
  readonly bill: Bill
}

interface StepWithOrder extends Step {
  readonly order?: Order
}

interface LockedPlans {
  readonly plans: ReadonlyMap<string, PlanAggregate>
  readonly items: ReadonlyMap<string, readonly (readonly CycleItem[])[]>
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
  return { plans, items, tokens, refused: await findRefusedTokens(tx, tokens) }
}

/** Leaves out plans that changed between the search and the lock. */
function decideSteps({ plans, items }: LockedPlans, { until, timeOf }: TimelineRun): Step[] {
  return [...plans.values()].flatMap((aggregate) => {
    const { id, due } = aggregate.plan
    if (due === null || due.kind !== 'timeline' || isAfter(due.at, until)) return []
    return [decideStep(aggregate, due.at, timeOf(due.at), items.get(id) ?? [])]
  })
}

function decideStep(
  before: PlanAggregate,
  dueAt: Instant,
  at: Instant,
  items: readonly (readonly CycleItem[])[],
): Step {
  const { cancelAt } = before.plan
  // A late worker finds both overdue. The original times then tell whether the period or the cancellation comes first.
  const until = cancelAt === null ? dueAt : (nextTimelineAt(before) ?? dueAt)
  if (cancelAt !== null && !isAfter(cancelAt, until)) {
    return { before, aggregate: cancelNow(before, at), at, bill: undefined }
  }
  const { aggregate, bill: period } = advance(before, until)
  if (period === undefined) return { before, aggregate, at, bill: undefined }
  const lines = billedLinesOf(aggregate, period, items[period.cyclePosition] ?? [])
  const suffix = before.plan.lastSuffix + 1
  const orderId = derivedId('ord', period.start.epochMilliseconds, `${before.plan.id} ${suffix}`)
  return { before, aggregate, at, bill: { orderId, period, lines, suffix } }
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
  while (remaining.length > 0) {
    const newOrders = remaining.map((step) => newOrderOfStep(step, locked))
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
  return steps.map((step) => withOrder.get(step.bill?.orderId ?? '') ?? step)
}

function newOrderOfStep(
  { aggregate: { plan }, at, bill }: BillingStep,
  { tokens, refused }: LockedPlans,
): NewOrder {
  const order = newOrderOf(plan, bill.orderId, bill.suffix, bill.lines, at)
  const token = tokenToSend(tokens.get(plan.customerUuid), refused, at)
  return token === undefined ? order : { ...order, reserved: bill.lines.total }
}

const SUFFIXES_PER_QUERY = 100

async function withFreeSuffix(ctx: RecurringContext, tx: Tx, step: BillingStep): Promise<BillingStep> {
  const { plan } = step.aggregate
  let suffix = step.bill.suffix + 1
  for (;;) {
    const candidates = Array.from({ length: SUFFIXES_PER_QUERY }, (_, offset) => suffix + offset)
    const references = candidates.map((candidate) => referenceOf(plan, candidate))
    const taken = await ctx.payments.takenReferences(tx, references)
    const free = candidates.find((candidate) => !taken.has(referenceOf(plan, candidate)))
    if (free !== undefined) return { ...step, bill: { ...step.bill, suffix: free } }
    suffix += SUFFIXES_PER_QUERY
  }
}

async function initiateFirstAttempts(
  ctx: RecurringContext,
  tx: Tx,
  steps: readonly StepWithOrder[],
  { tokens, refused }: LockedPlans,
  origin: OrderChangeOrigin,
): Promise<ReadonlyMap<string, AttemptResult>> {
  const attempts = steps.flatMap(({ aggregate, order, at }): Attempt[] => {
    if (order === undefined || order.state !== 'open') return []
    const token = tokens.get(aggregate.plan.customerUuid)
    return [{ orderId: order.id, token, amount: order.initialTotal, at }]
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
  { items, tokens }: LockedPlans,
): Promise<void> {
  const changes = steps.map((step) => changeOf(step, attempts))
  const newOrders = changes.flatMap(({ newOrder }) => newOrder ?? [])
  tx.defer(insertPlanOrders(tx, newOrders))
  await savePlans(ctx, tx, changes, { items, tokens, orders: currentOrders(steps, attempts) })
}

interface StepChange extends PlanChange {
  readonly newOrder?: NewPlanOrder | undefined
}

function changeOf(step: StepWithOrder, attempts: ReadonlyMap<string, AttemptResult>): StepChange {
  const { before, aggregate, at, bill, order } = step
  if (bill === undefined || order === undefined) return { before, after: aggregate, at }
  const { plan } = aggregate
  const planOrder: PlanOrder = {
    ...NEW_PLAN_ORDER,
    orderId: order.id,
    planId: plan.id,
    cyclePosition: bill.period.cyclePosition,
    suffix: bill.suffix,
    state: order.state === 'open' ? 'open' : 'paid',
    credit: bill.lines.creditUsed,
  }
  const billed = withPlan(
    { ...aggregate, orders: [...aggregate.orders, planOrder] },
    { lastSuffix: bill.suffix, currentOrderId: order.id, credit: plan.credit.minus(bill.lines.creditUsed) },
  )
  const after = withFirstAttempt(billed, order.id, attempts.get(order.id), at)
  const saved = after.orders.find(({ orderId }) => orderId === order.id)
  return { before, after, at, newOrder: saved && { ...saved, periodStart: bill.period.start, createdAt: at } }
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
      return attemptFailed(attemptInitiated(aggregate, orderId, result.transactionId, at), orderId, at)
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

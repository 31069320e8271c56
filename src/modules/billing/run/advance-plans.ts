import type { Instant } from '#kernel/clock'
import type { Order, OrderChangeOrigin, OrderWithTransactions } from '#modules/payments'
import type { TaxAnswers } from '#modules/taxes'
import type { Tx } from '#platform/postgres/database'
import {
  type Attempt,
  type AttemptResult,
  initiateAttempts,
  type InitiatedCharges,
  initiatedCharges,
  tokenToSend,
  withAttempt,
} from '../dunning/initiate-attempts.ts'
import {
  findCycleItems,
  findScheduledChanges,
  insertPlanOrders,
  loadPlans,
  type NewPlanOrder,
  type OrderBill,
  type PlanAggregate,
  type SavedPlan,
  type PlanEvent,
  recordPlanEvents,
  replaceCycles,
  type ReplacedPlan,
  savePlans,
  sendsInvoices,
  withDue,
} from '#modules/plans'
import type { BillingContext } from '../context.ts'
import { bookGivenCredit, withoutTaken } from '../credit/book-given-credit.ts'
import {
  afterWaiting,
  createNumberedOrders,
  newPlanOrder,
  originOf,
  withNewestOrder,
} from '../orders/create-plan-order.ts'
import type { DuePlan } from '../storage/due-plan.repository.ts'
import { findRefusedTokens, type RefusedToken } from '../storage/refused-token.repository.ts'
import { decideSteps, type Step, type StepsGround, type StepTimes } from './decide-steps.ts'

interface BillingStep extends Step {
  readonly bill: OrderBill
}

interface StepWithOrder extends Step {
  readonly order?: Order
  readonly suffix?: number
}

interface LockedPlans extends StepsGround {
  readonly refused: ReadonlyMap<string, RefusedToken>
}

export interface TimelineRun extends StepTimes {
  readonly duePlans: readonly DuePlan[]
}

/**
 * Takes plans one step along their timelines in the caller's transaction: starts and ends cycles, creates the orders of
 * periods that begin and initiates their first attempts. Every stage is one statement for all plans.
 */
export async function advancePlans(
  ctx: BillingContext,
  tx: Tx,
  run: TimelineRun,
  answers: TaxAnswers,
): Promise<InitiatedCharges> {
  const locked = await lockPlans(ctx, tx, run.duePlans, answers)
  const decided = decideSteps(locked, run)
  answers.requireAll()
  await replaceCycles(tx, replacedPlans(decided))
  const steps = await recordScheduledChanges(ctx, tx, decided)
  const bills = steps.filter((step): step is BillingStep => step.bill !== undefined)
  const billed = await createOrders(ctx, tx, steps, bills, locked)
  const attempts = await initiateFirstAttempts(ctx, tx, billed, locked, originOf(bills))
  await saveSteps(ctx, tx, billed, attempts, locked)
  return { plansChanged: steps.length, charges: initiatedCharges(attempts) }
}

async function lockPlans(
  ctx: BillingContext,
  tx: Tx,
  duePlans: readonly DuePlan[],
  answers: TaxAnswers,
): Promise<LockedPlans> {
  const planIds = duePlans.map(({ planId }) => planId)
  const customerUuids = [...new Set(duePlans.map(({ customerUuid }) => customerUuid))]
  const [plans, items, tokens] = await Promise.all([
    loadPlans(tx, { planIds, lock: 'skip', answers }),
    findCycleItems(tx, planIds),
    ctx.customers.defaultTokens(tx, customerUuids),
  ])
  const [refused, scheduled] = await Promise.all([
    findRefusedTokens(tx, tokens),
    findScheduledChanges(tx, plans),
  ])
  return { plans, items, scheduled, tokens, refused }
}

function replacedPlans(steps: readonly Step[]): ReplacedPlan[] {
  return steps.flatMap(({ aggregate, items, replaced }) =>
    replaced === undefined ? [] : [{ aggregate, items, replaced }],
  )
}

/** plan.changed comes before the events of the order that bills the changed items. */
async function recordScheduledChanges(
  ctx: BillingContext,
  tx: Tx,
  steps: readonly Step[],
): Promise<readonly Step[]> {
  const changed = steps.filter(({ replaced }) => replaced !== undefined)
  if (changed.length === 0) return steps
  const times = new Map(changed.map(({ aggregate, at }) => [aggregate.plan.id, at]))
  const plans = changed.map(({ aggregate, at }) => withDue(withEventsOf(aggregate, isPlanChanged), at))
  await recordPlanEvents(ctx, tx, plans, ({ plan }) => times.get(plan.id) ?? tx.now)
  return steps.map((step) =>
    step.replaced === undefined
      ? step
      : { ...step, aggregate: withEventsOf(step.aggregate, (event) => !isPlanChanged(event)) },
  )
}

function isPlanChanged({ type }: PlanEvent): boolean {
  return type === 'plan.changed'
}

function withEventsOf(aggregate: PlanAggregate, isWanted: (event: PlanEvent) => boolean): PlanAggregate {
  return { ...aggregate, events: aggregate.events.filter(isWanted) }
}

async function createOrders(
  ctx: BillingContext,
  tx: Tx,
  steps: readonly Step[],
  bills: readonly BillingStep[],
  { tokens, refused }: LockedPlans,
): Promise<StepWithOrder[]> {
  const created = await createNumberedOrders(
    ctx,
    tx,
    bills.map((step) => {
      const token = tokenToSend(tokens.get(step.aggregate.plan.customerUuid), refused, step.at)
      const isAttempted = token !== undefined && !sendsInvoices(step.aggregate.plan)
      return { ...step, reserved: isAttempted ? step.bill.lines.total : undefined }
    }),
  )
  const taken = await bookGivenCredit(
    ctx,
    tx,
    bills.flatMap((step) => {
      const order = created.get(step.bill.orderId)?.order
      return order === undefined ? [] : [{ ...step, order }]
    }),
  )
  return steps.map((step) => ({
    ...step,
    aggregate: withoutTaken(step.aggregate, taken.get(step.aggregate.plan.id)),
    ...created.get(step.bill?.orderId ?? ''),
  }))
}

async function initiateFirstAttempts(
  ctx: BillingContext,
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
  ctx: BillingContext,
  tx: Tx,
  steps: readonly StepWithOrder[],
  attempts: ReadonlyMap<string, AttemptResult>,
  { tokens }: LockedPlans,
): Promise<void> {
  const items = new Map(steps.map((step) => [step.aggregate.plan.id, step.items]))
  const changes = steps.map((step) => changeOf(step, attempts))
  const newOrders = changes.flatMap(({ newOrder }) => newOrder ?? [])
  tx.defer(insertPlanOrders(tx, newOrders))
  await savePlans(ctx, tx, changes, { items, tokens, orders: currentOrders(steps, attempts) })
}

interface StepChange extends SavedPlan {
  readonly newOrder?: NewPlanOrder | undefined
}

function changeOf(step: StepWithOrder, attempts: ReadonlyMap<string, AttemptResult>): StepChange {
  const { before, aggregate, at, bill, order, suffix } = step
  if (bill === undefined || order === undefined || suffix === undefined) {
    return { before, after: aggregate, at }
  }
  const { plan } = aggregate
  const planOrder = newPlanOrder(plan.id, order, bill, suffix)
  const billed = withNewestOrder(aggregate, planOrder)
  const refreshed = bill.counted ? billed : afterWaiting(billed, at)
  const after = withFirstAttempt(refreshed, order.id, attempts.get(order.id), at)
  const saved = after.orders.find(({ orderId }) => orderId === order.id)
  return {
    before,
    after,
    at,
    newOrder: saved && { ...saved, periodStart: bill.period.start },
  }
}

function withFirstAttempt(
  aggregate: PlanAggregate,
  orderId: string,
  result: AttemptResult | undefined,
  at: Instant,
): PlanAggregate {
  if (result === undefined) return aggregate
  if (result.kind === 'blocked' || result.kind === 'changed')
    throw new Error(`the attempt of the new order ${orderId} is ${result.kind}`)
  return withAttempt(aggregate, orderId, result, at)
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

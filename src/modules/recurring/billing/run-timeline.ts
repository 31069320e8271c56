import { type Instant, isAfter } from '#kernel/clock'
import { newId } from '#kernel/ids'
import type { PaymentToken } from '#modules/customers'
import type { NewOrder, Order, OrderWithTransactions } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import {
  type Attempted,
  type BegunAttempt,
  beginAttempts,
  begunAttempts,
  tokenToSend,
} from '../dunning/attempt.ts'
import { announceOrder } from '../plan/callback-url.ts'
import { findCycleItems } from '../catalogue/catalogue.repository.ts'
import type { CycleItem } from '../catalogue/catalogue.ts'
import { attemptBegun, attemptFailed, cancelNow } from '../dunning/dunning.ts'
import { type DuePlan, loadLives } from '../storage/life.repository.ts'
import type { RecurringDependencies } from '../dependencies.ts'
import type { BilledLines } from './order-lines.ts'
import { billedLinesOf, newOrderOf, referenceOf } from './period-order.ts'
import { insertPlanOrders, type MadePlanOrder } from '../storage/plan-order.repository.ts'
import { type Life, NEW_PLAN_ORDER, type PlanOrder, withPlan } from '../plan/plan.ts'
import { findRefusedTokens, type RefusedToken } from '../storage/refused-token.repository.ts'
import type { LifeChange } from '../storage/save-lives.ts'
import { commitLives } from '../storage/tell.ts'
import { advance, nextTimelineAt, type PeriodToBill } from './timeline.ts'

/** One plan's step along its timeline. */
interface Step {
  readonly before: Life
  readonly life: Life
  readonly at: Instant
  readonly made: MadeOrder | undefined
}

interface MadeOrder {
  readonly orderId: string
  readonly period: PeriodToBill
  readonly billed: BilledLines
  readonly suffix: number
}

/** What first attempts are made with. */
interface Collecting {
  /** The default tokens, by customer. */
  readonly tokens: ReadonlyMap<string, PaymentToken>
  readonly refused: ReadonlyMap<string, RefusedToken>
}

export interface TimelineRun {
  readonly plans: readonly DuePlan[]
  readonly until: Instant
  readonly timeOf: (dueAt: Instant) => Instant
}

/**
 * Takes plans one step along their timelines, set-based: starts and ends cycles, makes the orders of periods that begin
 * and begins their first attempts, all in the caller's transaction.
 * @returns how many plans were at it, and the attempts to be sent to the acquirer after the commit
 */
export async function runTimeline(
  deps: RecurringDependencies,
  tx: Tx,
  run: TimelineRun,
): Promise<{ done: number; begun: BegunAttempt[] }> {
  const planIds = run.plans.map(({ planId }) => planId)
  const customerUuids = [...new Set(run.plans.map(({ customerUuid }) => customerUuid))]
  const [lives, items, tokens] = await Promise.all([
    loadLives(tx, { planIds, lock: 'skip' }),
    findCycleItems(tx, planIds),
    deps.customers.defaultTokens(tx, customerUuids),
  ])
  const steps: Step[] = []
  for (const life of lives.values()) {
    const { due } = life.plan
    if (due === null || due.kind !== 'timeline' || isAfter(due.at, run.until)) continue
    steps.push(stepOf(life, due.at, run.timeOf(due.at), items.get(life.plan.id) ?? []))
  }
  const collecting = { tokens, refused: await findRefusedTokens(tx, tokens) }
  const orders = await makeOrders(deps, tx, steps, collecting)
  const attempted = await beginFirstAttempts(deps, tx, orders, collecting)
  const changes = orders.map((made) => withOrderMade(made, attempted))
  tx.defer(
    insertPlanOrders(
      tx,
      changes.flatMap(({ row }) => row ?? []),
    ),
  )
  const left = await commitLives(deps, tx, changes, {
    items,
    tokens,
    orders: currentOrders(orders, attempted),
  })
  return { done: steps.length, begun: begunAttempts(attempted, left) }
}

function stepOf(life: Life, dueAt: Instant, at: Instant, items: readonly (readonly CycleItem[])[]): Step {
  const { cancelAt } = life.plan
  // All that is overdue is due now: what comes before the cancellation is told by its own time.
  const until = cancelAt === null ? dueAt : (nextTimelineAt(life) ?? dueAt)
  if (cancelAt !== null && !isAfter(cancelAt, until)) {
    return { before: life, life: cancelNow(life, at), at, made: undefined }
  }
  const { life: advanced, bill } = advance(life, until)
  if (bill === undefined) return { before: life, life: advanced, at, made: undefined }
  const billed = billedLinesOf(advanced, bill, items[bill.position] ?? [])
  const suffix = life.plan.lastSuffix + 1
  return {
    before: life,
    life: advanced,
    at,
    made: { orderId: newId('ord'), period: bill, billed, suffix },
  }
}

interface BillingStep extends Step {
  readonly made: MadeOrder
}

interface StepWithOrder extends Step {
  readonly order?: Order
}

/** Makes the orders of the periods; where another order has the reference, under the next free suffix. */
async function makeOrders(
  deps: RecurringDependencies,
  tx: Tx,
  steps: readonly Step[],
  collecting: Collecting,
): Promise<StepWithOrder[]> {
  let left = steps.filter((step): step is BillingStep => step.made !== undefined)
  for (const { life, made } of left) announceOrder(tx, life.plan, made.orderId)
  const billed = new Map<string, StepWithOrder>()
  while (left.length > 0) {
    const orders = await deps.payments.createOrders(
      tx,
      left.map((step) => newOrderOfStep(step, collecting)),
    )
    const refused: BillingStep[] = []
    for (const [index, step] of left.entries()) {
      const order = orders[index]
      if (order === undefined) refused.push(step)
      else billed.set(order.id, { ...step, order })
    }
    left = []
    for (const step of refused) left.push(await withFreeSuffix(deps, tx, step))
  }
  return steps.map((step) => billed.get(step.made?.orderId ?? '') ?? step)
}

function newOrderOfStep(
  { life: { plan }, at, made }: BillingStep,
  { tokens, refused }: Collecting,
): NewOrder {
  const order = newOrderOf(plan, made.orderId, made.suffix, made.billed, at)
  const token = tokenToSend(tokens.get(plan.customerUuid), refused, at)
  return token === undefined ? order : { ...order, reserved: made.billed.total }
}

/** How many suffixes are looked at in one statement, when another order has the next one. */
const SUFFIXES_AT_ONCE = 100

async function withFreeSuffix(deps: RecurringDependencies, tx: Tx, step: BillingStep): Promise<BillingStep> {
  let suffix = step.made.suffix + 1
  for (;;) {
    const candidates = Array.from({ length: SUFFIXES_AT_ONCE }, (_, offset) => suffix + offset)
    const references = candidates.map((candidate) => referenceOf(step.life.plan, candidate))
    const taken = await deps.payments.takenReferences(tx, references)
    const free = candidates.find((candidate) => !taken.has(referenceOf(step.life.plan, candidate)))
    if (free !== undefined) return { ...step, made: { ...step.made, suffix: free } }
    suffix += SUFFIXES_AT_ONCE
  }
}

/** An order of total 0 is paid as it is made; it has no attempt. */
async function beginFirstAttempts(
  deps: RecurringDependencies,
  tx: Tx,
  steps: readonly StepWithOrder[],
  { tokens, refused }: Collecting,
): Promise<Map<string, Attempted>> {
  const attempts = steps.flatMap(({ life, order, at }) => {
    if (order === undefined || order.state !== 'open') return []
    const token = tokens.get(life.plan.customerUuid)
    return [{ orderId: order.id, token, amount: order.initialTotal, at }]
  })
  if (attempts.length === 0) return new Map()
  const made = steps.flatMap(({ order }) => order ?? [])
  return beginAttempts(deps.payments, tx, attempts, refused, made)
}

/** The orders just made as they are by now, to be shown with their plans. */
function currentOrders(
  steps: readonly StepWithOrder[],
  attempted: ReadonlyMap<string, Attempted>,
): Map<string, OrderWithTransactions> {
  const current = new Map<string, OrderWithTransactions>()
  for (const { order } of steps) {
    if (order === undefined) continue
    const result = attempted.get(order.id)
    if (result?.kind === 'failed') current.set(order.id, result.found)
    else if (result?.kind === 'begun') {
      current.set(order.id, { order: result.charge.begun.order, transactions: [result.charge.transaction] })
    } else current.set(order.id, { order, transactions: [] })
  }
  return current
}

interface MadeChange extends LifeChange {
  readonly row: MadePlanOrder | undefined
}

function withOrderMade(step: StepWithOrder, attempted: ReadonlyMap<string, Attempted>): MadeChange {
  const { before, life, at, made, order } = step
  if (made === undefined || order === undefined) return { before, after: life, at, row: undefined }
  const { plan } = life
  const planOrder = newPlanOrder(plan.id, made, order.state === 'open')
  let after = withPlan(
    { ...life, orders: [...life.orders, planOrder] },
    { lastSuffix: made.suffix, currentOrderId: order.id, credit: plan.credit.minus(made.billed.creditUsed) },
  )
  const result = attempted.get(order.id)
  if (result?.kind === 'begun') after = attemptBegun(after, order.id, result.transaction, at)
  else if (result?.kind === 'failed') {
    after = attemptFailed(attemptBegun(after, order.id, result.transaction, at), order.id, at)
  } else if (result !== undefined) throw new Error(`the new order ${order.id} is ${result.kind}`)
  const saved = after.orders.find((candidate) => candidate.orderId === order.id)
  return { before, after, at, row: saved && { ...saved, periodStart: made.period.start, createdAt: at } }
}

function newPlanOrder(planId: string, made: MadeOrder, open: boolean): PlanOrder {
  return {
    ...NEW_PLAN_ORDER,
    orderId: made.orderId,
    planId,
    cyclePosition: made.period.position,
    suffix: made.suffix,
    state: open ? 'open' : 'paid',
    credit: made.billed.creditUsed,
  }
}

import sql from 'sql-template-tag'
import { type Instant, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/database'
import { scheduleDue } from '#platform/due-work'
import { rfc3339OrNull } from './life.repository.ts'
import { type Cycle, type Life, type Plan, type PlanOrder, earliestOf, laterOf } from './plan.ts'
import { nextDue, nextExecuteAt } from './timeline.ts'

/** The kind of due work that plans have. */
export const RECURRING_DUE = 'recurring'

/** A life as it was read, and as it is now; `at`: the business's time of the change. */
export interface LifeChange {
  readonly before: Life
  readonly after: Life
  readonly at: Instant
}

/**
 * Saves what changed of many lives, one statement a table, and tells the runner what is due next. The caller holds the
 * plans' locks; new orders are inserted by `insertPlanOrders`.
 * @returns the lives as saved
 */
export async function saveLives(tx: Tx, changes: readonly LifeChange[]): Promise<Life[]> {
  const saved = changes.map(({ before, after, at }) => stamped(before, withDue(after, at), at))
  const plans: object[] = []
  const cycles: object[] = []
  const orders: object[] = []
  changes.forEach(({ before }, index) => {
    const life = saved[index]
    if (life === undefined) return
    if (life.plan !== before.plan) plans.push(planChange(life.plan))
    for (const cycle of life.cycles) {
      if (cycle !== before.cycles[cycle.position]) cycles.push(cycleChange(cycle))
    }
    const known = new Map(before.orders.map((order) => [order.orderId, order]))
    for (const order of life.orders) {
      const was = known.get(order.orderId)
      if (was !== undefined && was !== order) orders.push(orderChange(order))
    }
  })
  await Promise.all([
    updatePlans(tx, plans),
    updateCycles(tx, cycles),
    updateOrders(tx, orders),
    scheduleEarliest(tx, saved),
  ])
  return saved
}

/** The life with what it does next. What is overdue is due at the moment of the change: a moved clock does not go back. */
export function withDue(life: Life, at: Instant): Life {
  const due = nextDue(life)
  const schedule = {
    due: due === null ? null : { ...due, at: laterOf(due.at, at) },
    nextExecuteAt: nextExecuteAt(life),
  }
  return isSameSchedule(life.plan, schedule) ? life : { ...life, plan: { ...life.plan, ...schedule } }
}

/** Dates what was changed. */
function stamped(before: Life, after: Life, at: Instant): Life {
  const plan = after.plan === before.plan ? after.plan : { ...after.plan, updatedAt: at }
  const cycles = after.cycles.map((cycle, position) =>
    cycle === before.cycles[position] ? cycle : { ...cycle, updatedAt: at },
  )
  return { ...after, plan, cycles }
}

async function scheduleEarliest(tx: Tx, lives: readonly Life[]): Promise<void> {
  const earliest = earliestOf(lives.map((life) => life.plan.due?.at))
  if (earliest !== null) await scheduleDue(tx, RECURRING_DUE, earliest)
}

function isSameSchedule(
  a: Pick<Plan, 'due' | 'nextExecuteAt'>,
  b: Pick<Plan, 'due' | 'nextExecuteAt'>,
): boolean {
  return (
    isSameInstant(a.due?.at, b.due?.at) &&
    a.due?.kind === b.due?.kind &&
    a.due?.orderId === b.due?.orderId &&
    isSameInstant(a.nextExecuteAt, b.nextExecuteAt)
  )
}

function isSameInstant(a: Instant | null | undefined, b: Instant | null | undefined): boolean {
  return a?.epochMilliseconds === b?.epochMilliseconds
}

/** The columns that a life changes; what a caller edits is written by `editPlan`. */
function planChange(plan: Plan): object {
  return {
    id: plan.id,
    credit_minor: plan.credit.minor.toString(),
    state: plan.state,
    current_cycle: plan.currentCycle,
    last_suffix: plan.lastSuffix,
    current_order_id: plan.currentOrderId,
    paused: plan.paused,
    uncollectible: plan.uncollectible,
    written_off: plan.writtenOff,
    suspended_at: rfc3339OrNull(plan.suspendedAt),
    skip_from: rfc3339OrNull(plan.skip?.from ?? null),
    skip_until: rfc3339OrNull(plan.skip?.until ?? null),
    cancel_at: rfc3339OrNull(plan.cancelAt),
    due_at: rfc3339OrNull(plan.due?.at ?? null),
    due_kind: plan.due?.kind ?? null,
    due_order_id: plan.due?.orderId ?? null,
    next_execute_at: rfc3339OrNull(plan.nextExecuteAt),
    updated_at: toRfc3339(plan.updatedAt),
  }
}

function cycleChange(cycle: Cycle): object {
  return {
    plan_id: cycle.planId,
    position: cycle.position,
    state: cycle.state,
    orders_created: cycle.ordersCreated,
    start_at: rfc3339OrNull(cycle.start?.at ?? null),
    start_date: cycle.start?.date.toString() ?? null,
    anchor_day: cycle.start?.anchorDay ?? null,
    next_period: cycle.nextPeriod,
    end_at: rfc3339OrNull(cycle.endAt),
    updated_at: toRfc3339(cycle.updatedAt),
  }
}

function orderChange(order: PlanOrder): object {
  return {
    order_id: order.orderId,
    state: order.state,
    used_up: order.usedUp,
    attempts: order.attempts,
    attempt_transaction: order.attemptTransaction,
    attempted_at: rfc3339OrNull(order.attemptedAt),
    next_attempt_at: rfc3339OrNull(order.nextAttemptAt),
    waiting: order.waiting,
    void_at: rfc3339OrNull(order.voidAt),
  }
}

async function updatePlans(tx: Tx, changes: readonly object[]): Promise<void> {
  if (changes.length === 0) return
  await tx.execute(sql`
    update recurring_plans p
       set credit_minor = c.credit_minor, state = c.state, current_cycle = c.current_cycle,
           last_suffix = c.last_suffix, current_order_id = c.current_order_id, paused = c.paused,
           uncollectible = c.uncollectible, written_off = c.written_off, suspended_at = c.suspended_at,
           skip_from = c.skip_from, skip_until = c.skip_until, cancel_at = c.cancel_at, due_at = c.due_at,
           due_kind = c.due_kind, due_order_id = c.due_order_id, next_execute_at = c.next_execute_at,
           updated_at = c.updated_at
      from json_to_recordset(${JSON.stringify(changes)}::json) as c (
             id text, credit_minor numeric, state text, current_cycle integer, last_suffix integer,
             current_order_id text, paused boolean, uncollectible boolean, written_off boolean,
             suspended_at timestamptz, skip_from timestamptz, skip_until timestamptz, cancel_at timestamptz,
             due_at timestamptz, due_kind text, due_order_id text, next_execute_at timestamptz, updated_at timestamptz)
     where p.business_id = ${tx.businessId} and p.id = c.id`)
}

async function updateCycles(tx: Tx, changes: readonly object[]): Promise<void> {
  if (changes.length === 0) return
  await tx.execute(sql`
    update recurring_cycles y
       set state = c.state, orders_created = c.orders_created, start_at = c.start_at, start_date = c.start_date,
           anchor_day = c.anchor_day, next_period = c.next_period, end_at = c.end_at, updated_at = c.updated_at
      from json_to_recordset(${JSON.stringify(changes)}::json) as c (
             plan_id text, position integer, state text, orders_created integer, start_at timestamptz,
             start_date date, anchor_day smallint, next_period integer, end_at timestamptz, updated_at timestamptz)
     where y.business_id = ${tx.businessId} and y.plan_id = c.plan_id and y.position = c.position`)
}

async function updateOrders(tx: Tx, changes: readonly object[]): Promise<void> {
  if (changes.length === 0) return
  await tx.execute(sql`
    update recurring_orders o
       set state = c.state, used_up = c.used_up, attempts = c.attempts, attempt_transaction = c.attempt_transaction,
           attempted_at = c.attempted_at, next_attempt_at = c.next_attempt_at, waiting = c.waiting, void_at = c.void_at
      from json_to_recordset(${JSON.stringify(changes)}::json) as c (
             order_id text, state text, used_up boolean, attempts integer, attempt_transaction text,
             attempted_at timestamptz, next_attempt_at timestamptz, waiting boolean, void_at timestamptz)
     where o.business_id = ${tx.businessId} and o.order_id = c.order_id`)
}

/** Writes the orders that a billing run made. */
export async function insertPlanOrders(
  tx: Tx,
  made: readonly { readonly order: PlanOrder; readonly periodStart: Instant; readonly at: Instant }[],
): Promise<void> {
  if (made.length === 0) return
  const rows = made.map(({ order, periodStart, at }) => ({
    ...orderChange(order),
    plan_id: order.planId,
    cycle_position: order.cyclePosition,
    suffix: order.suffix,
    period_start: toRfc3339(periodStart),
    credit_minor: order.credit.minor.toString(),
    created_at: toRfc3339(at),
  }))
  await tx.execute(sql`
    insert into recurring_orders
           (business_id, order_id, plan_id, cycle_position, suffix, period_start, state, used_up, attempts,
            attempt_transaction, attempted_at, next_attempt_at, waiting, void_at, credit_minor, created_at)
    select ${tx.businessId}, order_id, plan_id, cycle_position, suffix, period_start, state, used_up, attempts,
           attempt_transaction, attempted_at, next_attempt_at, waiting, void_at, credit_minor, created_at
      from json_to_recordset(${JSON.stringify(rows)}::json) as c (
             order_id text, plan_id text, cycle_position integer, suffix integer, period_start timestamptz, state text,
             used_up boolean, attempts integer, attempt_transaction text, attempted_at timestamptz,
             next_attempt_at timestamptz, waiting boolean, void_at timestamptz, credit_minor numeric,
             created_at timestamptz)`)
}

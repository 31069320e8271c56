import sql from 'sql-template-tag'
import { earliestOf, type Instant, laterOf, rfc3339OrNull, toRfc3339 } from '#kernel/clock'
import type { Tx } from '#platform/database'
import { scheduleDue } from '#platform/due-work'
import { type Columns, rowsAs } from '#platform/rows'
import { type Cycle, type Life, type Plan, type PlanOrder, isOpen } from './plan.ts'
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
 * plans' locks; new orders are inserted by `insertPlanOrders`. The statements are left to the end of the transaction.
 * @returns the lives as saved
 */
export function saveLives(tx: Tx, changes: readonly LifeChange[]): Life[] {
  const saved = changes.map(({ before, after, at }) => stamped(before, withDue(after, at), at))
  const plans: Plan[] = []
  const cycles: Cycle[] = []
  const orders: PlanOrder[] = []
  changes.forEach(({ before }, index) => {
    const life = saved[index]
    if (life === undefined) return
    const changed = life.cycles.filter((cycle) => cycle !== before.cycles[cycle.position])
    cycles.push(...changed)
    const known = new Map(before.orders.map((order) => [order.orderId, order]))
    let isReopened = false
    for (const order of life.orders) {
      const was = known.get(order.orderId)
      if (was === undefined || was === order) continue
      orders.push(order)
      isReopened ||= isOpen(order) && !isOpen(was)
    }
    // Also for its cycles and for an order that it left out: who has left this life looks at the plan (lockLivesOfOrders).
    if (life.plan !== before.plan || changed.length > 0 || isReopened) plans.push(life.plan)
  })
  tx.leave(updatePlans(tx, plans))
  tx.leave(updateCycles(tx, cycles))
  tx.leave(updateOrders(tx, orders))
  tx.leave(scheduleEarliest(tx, saved))
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

/** What a life changes of plans; what a caller edits is written by `editPlan`. */
const changedPlans = rowsAs<Plan>('c', {
  id: ['text', (p) => p.id],
  credit_minor: ['numeric', (p) => p.credit.minor.toString()],
  state: ['text', (p) => p.state],
  current_cycle: ['integer', (p) => p.currentCycle],
  last_suffix: ['integer', (p) => p.lastSuffix],
  current_order_id: ['text', (p) => p.currentOrderId],
  paused: ['boolean', (p) => p.paused],
  uncollectible: ['boolean', (p) => p.uncollectible],
  written_off: ['boolean', (p) => p.writtenOff],
  suspended_at: ['timestamptz', (p) => rfc3339OrNull(p.suspendedAt)],
  skip_from: ['timestamptz', (p) => rfc3339OrNull(p.skip?.from)],
  skip_until: ['timestamptz', (p) => rfc3339OrNull(p.skip?.until)],
  cancel_at: ['timestamptz', (p) => rfc3339OrNull(p.cancelAt)],
  due_at: ['timestamptz', (p) => rfc3339OrNull(p.due?.at)],
  due_kind: ['text', (p) => p.due?.kind ?? null],
  due_order_id: ['text', (p) => p.due?.orderId ?? null],
  next_execute_at: ['timestamptz', (p) => rfc3339OrNull(p.nextExecuteAt)],
  updated_at: ['timestamptz', (p) => toRfc3339(p.updatedAt)],
})

async function updatePlans(tx: Tx, plans: readonly Plan[]): Promise<void> {
  if (plans.length === 0) return
  await tx.execute(sql`
    update recurring_plans p
       set credit_minor = c.credit_minor, state = c.state, current_cycle = c.current_cycle,
           last_suffix = c.last_suffix, current_order_id = c.current_order_id, paused = c.paused,
           uncollectible = c.uncollectible, written_off = c.written_off, suspended_at = c.suspended_at,
           skip_from = c.skip_from, skip_until = c.skip_until, cancel_at = c.cancel_at, due_at = c.due_at,
           due_kind = c.due_kind, due_order_id = c.due_order_id, next_execute_at = c.next_execute_at,
           updated_at = c.updated_at
      from ${changedPlans(plans)}
     where p.business_id = ${tx.businessId} and p.id = c.id`)
}

const changedCycles = rowsAs<Cycle>('c', {
  plan_id: ['text', (y) => y.planId],
  position: ['integer', (y) => y.position],
  state: ['text', (y) => y.state],
  orders_created: ['integer', (y) => y.ordersCreated],
  start_at: ['timestamptz', (y) => rfc3339OrNull(y.start?.at)],
  start_date: ['date', (y) => y.start?.date.toString() ?? null],
  anchor_day: ['integer', (y) => y.start?.anchorDay ?? null],
  next_period: ['integer', (y) => y.nextPeriod],
  end_at: ['timestamptz', (y) => rfc3339OrNull(y.endAt)],
  updated_at: ['timestamptz', (y) => toRfc3339(y.updatedAt)],
})

async function updateCycles(tx: Tx, cycles: readonly Cycle[]): Promise<void> {
  if (cycles.length === 0) return
  await tx.execute(sql`
    update recurring_cycles y
       set state = c.state, orders_created = c.orders_created, start_at = c.start_at, start_date = c.start_date,
           anchor_day = c.anchor_day, next_period = c.next_period, end_at = c.end_at, updated_at = c.updated_at
      from ${changedCycles(cycles)}
     where y.business_id = ${tx.businessId} and y.plan_id = c.plan_id and y.position = c.position`)
}

/** How an order is collected. */
const COLLECTION: Columns<PlanOrder> = {
  order_id: ['text', (o) => o.orderId],
  state: ['text', (o) => o.state],
  used_up: ['boolean', (o) => o.usedUp],
  attempts: ['integer', (o) => o.attempts],
  attempt_transaction: ['text', (o) => o.attemptTransaction],
  attempted_at: ['timestamptz', (o) => rfc3339OrNull(o.attemptedAt)],
  next_attempt_at: ['timestamptz', (o) => rfc3339OrNull(o.nextAttemptAt)],
  waiting: ['boolean', (o) => o.waiting],
  void_at: ['timestamptz', (o) => rfc3339OrNull(o.voidAt)],
}
const changedOrders = rowsAs<PlanOrder>('c', COLLECTION)

async function updateOrders(tx: Tx, orders: readonly PlanOrder[]): Promise<void> {
  if (orders.length === 0) return
  await tx.execute(sql`
    update recurring_orders o
       set state = c.state, used_up = c.used_up, attempts = c.attempts, attempt_transaction = c.attempt_transaction,
           attempted_at = c.attempted_at, next_attempt_at = c.next_attempt_at, waiting = c.waiting, void_at = c.void_at
      from ${changedOrders(orders)}
     where o.business_id = ${tx.businessId} and o.order_id = c.order_id`)
}

/** An order that a billing run made, as it is collected from then on. */
export interface MadePlanOrder extends PlanOrder {
  readonly periodStart: Instant
  readonly createdAt: Instant
}

const newOrders = rowsAs<MadePlanOrder>('c', {
  ...COLLECTION,
  plan_id: ['text', (o) => o.planId],
  cycle_position: ['integer', (o) => o.cyclePosition],
  suffix: ['integer', (o) => o.suffix],
  period_start: ['timestamptz', (o) => toRfc3339(o.periodStart)],
  credit_minor: ['numeric', (o) => o.credit.minor.toString()],
  created_at: ['timestamptz', (o) => toRfc3339(o.createdAt)],
})

/** Writes the orders that a billing run made. */
export async function insertPlanOrders(tx: Tx, made: readonly MadePlanOrder[]): Promise<void> {
  if (made.length === 0) return
  await tx.execute(sql`
    insert into recurring_orders
           (business_id, order_id, state, used_up, attempts, attempt_transaction, attempted_at, next_attempt_at, waiting,
            void_at, plan_id, cycle_position, suffix, period_start, credit_minor, created_at)
    select ${tx.businessId}, c.* from ${newOrders(made)}`)
}

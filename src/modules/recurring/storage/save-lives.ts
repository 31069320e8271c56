import { earliestOf, type Instant, laterOf } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { scheduleJob } from '#platform/jobs/jobs'
import { RECURRING_DUE } from '../job-kinds.ts'
import { type Cycle, type Life, type Plan, type PlanOrder, isOpen } from '../plan/plan.ts'
import { updatePlanOrders } from './plan-order.repository.ts'
import { updateCycles, updatePlans } from './plan.repository.ts'
import { nextDue, nextExecuteAt } from '../billing/timeline.ts'

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
    cycles.push(...life.cycles.filter((cycle) => cycle !== before.cycles[cycle.position]))
    const known = new Map(before.orders.map((order) => [order.orderId, order]))
    let isReopened = false
    for (const order of life.orders) {
      const was = known.get(order.orderId)
      if (was === undefined || was === order) continue
      orders.push(order)
      isReopened ||= isOpen(order) && !isOpen(was)
    }
    // Also for an order that it left out: who has left this life looks at the plan (lockLivesOfOrders).
    if (life.plan !== before.plan || isReopened) plans.push(life.plan)
  })
  tx.defer(updatePlans(tx, plans))
  tx.defer(updateCycles(tx, cycles))
  tx.defer(updatePlanOrders(tx, orders))
  tx.defer(scheduleEarliest(tx, saved))
  return saved
}

/**
 * The life with what it does next. What is overdue is due at the moment of the change: a moved clock does not go back, nor
 * does what due work does of the plan (`timeOfChange`).
 */
export function withDue(life: Life, at: Instant): Life {
  const due = nextDue(life)
  const schedule = {
    due: due === null ? null : { ...due, at: laterOf(due.at, at) },
    nextExecuteAt: nextExecuteAt(life),
  }
  return isSameSchedule(life.plan, schedule) ? life : { ...life, plan: { ...life.plan, ...schedule } }
}

/** Dates what was changed; a plan with its cycles, which it shows. */
function stamped(before: Life, after: Life, at: Instant): Life {
  const cycles = after.cycles.map((cycle, position) =>
    cycle === before.cycles[position] ? cycle : { ...cycle, updatedAt: at },
  )
  const isSame = after.plan === before.plan && cycles.every((cycle, index) => cycle === before.cycles[index])
  return { ...after, plan: isSame ? after.plan : { ...after.plan, updatedAt: at }, cycles }
}

async function scheduleEarliest(tx: Tx, lives: readonly Life[]): Promise<void> {
  const earliest = earliestOf(lives.map((life) => life.plan.due?.at))
  if (earliest !== null) await scheduleJob(tx, RECURRING_DUE, earliest)
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

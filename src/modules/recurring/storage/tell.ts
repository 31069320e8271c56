import type { Instant } from '#kernel/clock'
import type { PaymentToken } from '#modules/customers'
import type { OrderWithTransactions } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import { findCycleItems } from '../catalogue/catalogue.repository.ts'
import type { CycleItem } from '../catalogue/catalogue.ts'
import type { RecurringDependencies } from '../dependencies.ts'
import type { Life } from '../plan/plan.ts'
import { renderPlan } from '../api/render.ts'
import { type LifeChange, saveLives } from './save-lives.ts'

/** What the caller read or made itself in this transaction, and need not be read again. */
export interface KnownSurroundings {
  /** Of all the plans. */
  readonly items: ReadonlyMap<string, readonly (readonly CycleItem[])[]>
  /** Of all their customers. */
  readonly tokens: ReadonlyMap<string, PaymentToken>
  /** Some orders. */
  readonly orders: ReadonlyMap<string, OrderWithTransactions>
}

/**
 * Plans as answers and events show them, in a fixed number of statements however many there are.
 * @param at the business's time, by plan
 */
export async function showPlans(
  deps: RecurringDependencies,
  tx: Tx,
  lives: readonly Life[],
  at: (life: Life) => Instant,
  known?: KnownSurroundings,
): Promise<Map<string, object>> {
  if (lives.length === 0) return new Map()
  const planIds = lives.map(({ plan }) => plan.id)
  const customerUuids = [...new Set(lives.map(({ plan }) => plan.customerUuid))]
  const orderIds = lives.flatMap(({ plan: { currentOrderId: id } }) =>
    id === null || known?.orders.has(id) === true ? [] : [id],
  )
  const [items, customers, tokens, found] = await Promise.all([
    known?.items ?? findCycleItems(tx, planIds),
    deps.customers.findCustomers(tx, customerUuids),
    known?.tokens ?? deps.customers.defaultTokens(tx, customerUuids),
    orderIds.length === 0 ? undefined : deps.payments.findOrders(tx, orderIds),
  ])
  const orderOf = (id: string) => known?.orders.get(id) ?? found?.get(id)
  return new Map(
    lives.map((life) => {
      const { plan } = life
      const currentOrder = plan.currentOrderId === null ? undefined : orderOf(plan.currentOrderId)
      const shown = renderPlan(life, {
        items: items.get(plan.id) ?? [],
        customer: customers.get(plan.customerUuid),
        defaultToken: tokens.get(plan.customerUuid),
        currentOrder,
        paymentLink: currentOrder && deps.payments.paymentLink(tx.businessId, currentOrder.order, at(life)),
      })
      return [plan.id, shown]
    }),
  )
}

/**
 * Writes the events of lives, at the end of a transaction that holds the plans' locks.
 * @returns the plans that the events show, by id
 */
export async function tell(
  deps: RecurringDependencies,
  tx: Tx,
  lives: readonly Life[],
  at: (life: Life) => Instant,
  known?: KnownSurroundings,
): Promise<Map<string, object>> {
  const told = lives.filter((life) => life.events.length > 0)
  if (told.length === 0) return new Map()
  const prepared = deps.events.prepare(tx)
  const shown = await showPlans(deps, tx, told, at, known)
  await deps.events.append(
    tx,
    told.flatMap((life) =>
      life.events.map((event) => {
        const plan = shown.get(life.plan.id) ?? {}
        return {
          type: event.type,
          objectId: life.plan.id,
          timestamp: at(life),
          data: 'position' in event ? { plan, recurring_cycle: cycleOf(plan, event.position) } : { plan },
        }
      }),
    ),
    prepared,
  )
  return shown
}

function cycleOf(plan: object, position: number): unknown {
  return 'recurring_cycles' in plan && Array.isArray(plan.recurring_cycles)
    ? plan.recurring_cycles[position]
    : undefined
}

/**
 * Saves lives and writes their events.
 * @returns the lives as they are left
 */
export async function commitLives(
  deps: RecurringDependencies,
  tx: Tx,
  changes: readonly LifeChange[],
  known?: KnownSurroundings,
): Promise<Life[]> {
  const lives = saveLives(tx, changes)
  const times = new Map(changes.map(({ after, at }) => [after.plan.id, at]))
  await tell(deps, tx, lives, (life) => times.get(life.plan.id) ?? tx.now, known)
  return lives.map((life) => ({ ...life, events: [] }))
}

/** One life changed by a caller: saves it, tells of it, and answers the plan. */
export async function commitLife(
  deps: RecurringDependencies,
  tx: Tx,
  change: LifeChange,
): Promise<{ plan: object }> {
  const [life] = saveLives(tx, [change])
  if (life === undefined) throw new Error('a life was lost')
  const told = await tell(deps, tx, [life], () => change.at)
  const shown = told.size > 0 ? told : await showPlans(deps, tx, [life], () => change.at)
  return { plan: shown.get(life.plan.id) ?? {} }
}

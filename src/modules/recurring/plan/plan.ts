import type { BillingConfig } from '#kernel/billing-config'
import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import { nextState } from '#kernel/state-table'
import type { TimeZone } from '#kernel/time-zone'
import { CYCLE_STATES, type CycleEvent, type CycleState, isFinal } from './cycle.states.ts'
import type { RecurringEvent } from '../events.ts'
import type { Discount } from '../billing/order-lines.ts'

/** A recurring plan. Its cycles and open orders are in `PlanAggregate`. */
export interface Plan {
  readonly id: string
  readonly name: string
  readonly referenceNumber: string | null
  readonly customerUuid: string
  /** Never changes, so the plan keeps a copy to be found by. */
  readonly customerReferenceNumber: string
  readonly defaultCollectionMethod: 'charge_automatically'
  readonly paymentRetryCount: number
  readonly paymentRetryDayPeriod: number
  /** Local days; null: an order is never voided. */
  readonly gracePeriod: number | null
  readonly callbackUrl: string | null
  readonly redirectUrl: string | null
  readonly timeout: { readonly seconds: number; readonly url: string | null } | null
  readonly note: string | null
  readonly description: string | null
  /** What the next orders are cheaper by. Its currency is the plan's. */
  readonly credit: Money
  readonly zone: TimeZone
  /** All orders are due at this local time of day: that of the start, unless daylight saving skips what was asked for. */
  readonly localTime: Temporal.PlainTime
  readonly startAt: Instant
  /** That of the current cycle. */
  readonly state: CycleState
  /** Position of the current cycle among the plan's. */
  readonly currentCycle: number
  /** The suffix of the newest order's reference; 0 before the first. */
  readonly lastSuffix: number
  readonly currentOrderId: string | null
  readonly paused: boolean
  /** Attempts of an order were used up and it is not paid yet. */
  readonly uncollectible: boolean
  /** An order was voided after its attempts were used up: nothing revives the plan. */
  readonly permanentlyUncollectible: boolean
  /** Since when nothing is billed, because the plan is paused or uncollectible: no unbilled period began before. */
  readonly suspendedAt: Instant | null
  /** When a cancellation at the period's end takes place. */
  readonly cancelAt: Instant | null
  readonly due: Due | null
  readonly nextExecuteAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** How every plan begins. */
export const NEW_PLAN = {
  state: 'upcoming',
  currentCycle: 0,
  lastSuffix: 0,
  currentOrderId: null,
  paused: false,
  uncollectible: false,
  permanentlyUncollectible: false,
  suspendedAt: null,
  cancelAt: null,
  due: null,
  nextExecuteAt: null,
} as const satisfies Partial<Plan>

/** What the plan has to do next. */
export interface Due {
  readonly at: Instant
  /** `timeline`: a period begins, a cycle ends, a cancellation takes place. */
  readonly kind: 'timeline' | 'attempt' | 'void'
  /** Of an attempt or a void. */
  readonly orderId: string | null
}

export interface BillingConfigRecord extends BillingConfig {
  readonly id: string
  readonly description: string | null
  readonly createdAt: Instant
}

export interface Cycle {
  readonly id: string
  readonly planId: string
  readonly position: number
  readonly state: CycleState
  /** How many orders it makes; null: it runs for ever. */
  readonly billingCount: number | null
  readonly ordersCreated: number
  readonly config: BillingConfigRecord
  readonly discount: Discount | null
  readonly description: string | null
  /** Null before it starts. */
  readonly start: CycleStart | null
  /** Index of the next period (kernel/calendar): periods that were skipped have an index and no order. */
  readonly nextPeriod: number
  /** When it ended; null before. */
  readonly endAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** How every cycle begins. */
export const NEW_CYCLE = {
  state: 'upcoming',
  ordersCreated: 0,
  start: null,
  nextPeriod: 0,
  endAt: null,
} as const satisfies Partial<Cycle>

interface CycleStart {
  readonly at: Instant
  readonly date: Temporal.PlainDate
  /** The day of the month that its dates count from. */
  readonly anchorDay: number
}

/** What is done to collect one order of a plan. The order itself is the payments module's. */
export interface PlanOrder {
  readonly orderId: string
  readonly planId: string
  /** Position of its cycle. */
  readonly cyclePosition: number
  readonly suffix: number
  readonly state: 'open' | 'paid' | 'voided'
  /** All attempts that the plan allows were made in vain. */
  readonly retriesExhausted: boolean
  readonly attempts: number
  /** The transaction of the attempt that is under way. */
  readonly attemptTransaction: string | null
  readonly attemptedAt: Instant | null
  readonly nextAttemptAt: Instant | null
  /** Something is under way at the order: its end is waited for before the next attempt or the void. */
  readonly blocked: boolean
  /** The end of its grace. */
  readonly voidAt: Instant | null
  /** What it used of the plan's credit. */
  readonly credit: Money
}

/** How the collecting of every order begins. */
export const NEW_PLAN_ORDER = {
  retriesExhausted: false,
  attempts: 0,
  attemptTransaction: null,
  attemptedAt: null,
  nextAttemptAt: null,
  blocked: false,
  voidAt: null,
} as const satisfies Partial<PlanOrder>

/** A plan with all that its decisions look at: its cycles by position and its orders that are open. */
export interface PlanAggregate {
  readonly plan: Plan
  readonly cycles: readonly Cycle[]
  readonly orders: readonly PlanOrder[]
  /** State changes to be told when the plan is saved, in their order. */
  readonly events: readonly PlanEvent[]
}

export type PlanEvent =
  | { readonly type: Extract<RecurringEvent, `plan.${string}`> }
  | { readonly type: Extract<RecurringEvent, `cycle.${string}`>; readonly position: number }

export function currentCycle(aggregate: PlanAggregate): Cycle {
  return cycleAt(aggregate, aggregate.plan.currentCycle)
}

export function cycleAt(aggregate: PlanAggregate, position: number): Cycle {
  const cycle = aggregate.cycles[position]
  if (cycle === undefined) throw new Error(`plan ${aggregate.plan.id} has no cycle ${position}`)
  return cycle
}

/** Whether the plan has come to its end: completed or canceled. */
export function hasEnded(plan: Plan): boolean {
  return isFinal(plan.state)
}

/** Whether the plan does next what it was found to have to do. */
export function isStillDue({ due }: Plan, found: Due): boolean {
  return due !== null && due.kind === found.kind && due.orderId === found.orderId && due.at.equals(found.at)
}

/** Whether all orders of a cycle were made. */
export function isCountReached(cycle: Cycle): boolean {
  return cycle.billingCount !== null && cycle.ordersCreated >= cycle.billingCount
}

export function isOpen(order: PlanOrder): boolean {
  return order.state === 'open'
}

/** Whether an order is unpaid after its first attempt. */
export function isPastDue(order: PlanOrder): boolean {
  return isOpen(order) && (order.attempts > 1 || (order.attempts === 1 && order.attemptTransaction === null))
}

export function withPlan(aggregate: PlanAggregate, change: Partial<Plan>): PlanAggregate {
  return { ...aggregate, plan: { ...aggregate.plan, ...change } }
}

export function withCycle(aggregate: PlanAggregate, position: number, change: Partial<Cycle>): PlanAggregate {
  return {
    ...aggregate,
    cycles: aggregate.cycles.map((cycle) => (cycle.position === position ? { ...cycle, ...change } : cycle)),
  }
}

export function withOrder(
  aggregate: PlanAggregate,
  orderId: string,
  change: Partial<PlanOrder>,
): PlanAggregate {
  return {
    ...aggregate,
    orders: aggregate.orders.map((order) => (order.orderId === orderId ? { ...order, ...change } : order)),
  }
}

export function withEvent(aggregate: PlanAggregate, event: PlanEvent): PlanAggregate {
  return { ...aggregate, events: [...aggregate.events, event] }
}

const EVENT_OF_STATE: Readonly<
  Partial<Record<CycleState, Extract<PlanEvent, { position: number }>['type']>>
> = {
  active: 'cycle.activated',
  past_due: 'cycle.past_due',
  uncollectible: 'cycle.uncollectible',
  completed: 'cycle.completed',
}

/**
 * Moves a cycle through its table, and the plan's state with its current cycle. A transition into the state that it has
 * already changes nothing. `silent`: a plan.* event tells of it.
 */
export function transition(
  aggregate: PlanAggregate,
  position: number,
  event: CycleEvent,
  options: { readonly silent?: boolean } = {},
): PlanAggregate {
  const cycle = cycleAt(aggregate, position)
  const state = nextState(CYCLE_STATES, cycle.state, event)
  if (state === undefined || state === cycle.state) return aggregate
  let changed = withCycle(aggregate, position, { state })
  if (position === aggregate.plan.currentCycle) changed = withPlan(changed, { state })
  const type = EVENT_OF_STATE[state]
  return type === undefined || options.silent === true ? changed : withEvent(changed, { type, position })
}

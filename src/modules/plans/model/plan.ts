import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import { nextState } from '#kernel/state-table'
import type { TaxGround } from '#modules/taxes'
import type { Metadata } from '#platform/http/validation/metadata'
import type { TimeZone } from '#kernel/time-zone'
import { CYCLE_STATES, type CycleEvent, type CycleState, isFinal } from './cycle.states.ts'
import type {
  BillingConfigRecord,
  Discount,
  DunningPolicy,
  DunningProgress,
  Line,
  PlanCoupon,
} from '#modules/catalogue'
import type { GivenCredit } from './given-credit.ts'
import type { ChangedPeriod, PendingChange } from './plan-change.ts'
import type { PlanInvoicing } from './invoicing.ts'
import type { Terms } from './terms.ts'
import type { Trial } from './trial.ts'

export const COLLECTION_METHODS = ['charge_automatically'] as const

/**
 * - `customerReferenceNumber`: A copy for filters. The reference number of a customer never changes.
 * - `paymentRetryCount`: All attempts of an order, the first included. A dunning policy replaces both numbers of retries.
 * - `gracePeriod`: In local days. Null: orders are never voided.
 * - `localTime`: The local time of day of all orders. It differs from that of the first period when daylight saving skips
 *   the requested time.
 * - `lastSuffix`: The suffix of the newest order, 0 before the first.
 * - `uncollectible`: An order without retries is unpaid, or was voided.
 * - `permanentlyUncollectible`: An order was voided after its last attempt, so no payment revives the plan.
 * - `pendingLines`: Lines of changes that wait for the next order.
 * - `hasCoupons`: A coupon was attached at some time.
 * - `cancellation`: Why it was canceled; null where nobody gave a reason.
 * - `suspendedAt`: A paused or uncollectible plan bills no period that begins at or after this time.
 */
export interface Plan {
  readonly id: string
  readonly name: string
  readonly referenceNumber: string | null
  readonly customerUuid: string
  readonly customerReferenceNumber: string
  readonly defaultCollectionMethod: (typeof COLLECTION_METHODS)[number]
  readonly paymentRetryCount: number
  readonly paymentRetryDayPeriod: number
  readonly dunningPolicyId: string | null
  readonly gracePeriod: number | null
  readonly callbackUrl: string | null
  readonly redirectUrl: string | null
  readonly timeout: { readonly seconds: number; readonly url: string | null } | null
  readonly note: string | null
  readonly description: string | null
  readonly metadata: Metadata
  readonly credit: Money
  readonly zone: TimeZone
  readonly localTime: Temporal.PlainTime
  readonly startAt: Instant
  readonly state: CycleState
  readonly currentCycle: number
  readonly lastSuffix: number
  readonly currentOrderId: string | null
  readonly paused: boolean
  readonly uncollectible: boolean
  readonly permanentlyUncollectible: boolean
  readonly hasCoupons: boolean
  readonly suspendedAt: Instant | null
  readonly cancelAt: Instant | null
  readonly cancellation: Cancellation | null
  readonly pendingChange: PendingChange | null
  readonly pendingLines: readonly Line[]
  readonly changedPeriod: ChangedPeriod | null
  readonly pauseUntil: Instant | null
  readonly terms: Terms | null
  readonly invoicing: PlanInvoicing | null
  readonly trial: Trial | null
  readonly due: Due | null
  readonly nextExecuteAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** - `by`: What the reason was given to. */
export interface Cancellation {
  readonly reason: string
  readonly comment: string | null
  readonly by: 'portal'
}

export const NEW_PLAN = {
  state: 'upcoming',
  currentCycle: 0,
  lastSuffix: 0,
  currentOrderId: null,
  paused: false,
  uncollectible: false,
  permanentlyUncollectible: false,
  hasCoupons: false,
  suspendedAt: null,
  cancelAt: null,
  cancellation: null,
  pendingChange: null,
  pendingLines: [],
  changedPeriod: null,
  pauseUntil: null,
  terms: null,
  invoicing: null,
  trial: null,
  due: null,
  nextExecuteAt: null,
} as const satisfies Partial<Plan>

/** A `timeline` step begins a period, ends a cycle, or is one of `lifecycle-step.ts`. */
export interface Due {
  readonly at: Instant
  readonly kind: 'timeline' | 'attempt' | 'void'
  readonly orderId: string | null
}

/**
 * - `billingCount`: Null: without end.
 * - `nextPeriod`: Skipped periods have an index too, but no order (kernel/calendar).
 * - `start`: All dates count from its `anchorDay`, a day of the month.
 */
export interface Cycle {
  readonly id: string
  readonly planId: string
  readonly position: number
  readonly state: CycleState
  readonly billingCount: number | null
  readonly ordersCreated: number
  readonly config: BillingConfigRecord
  readonly discount: Discount | null
  readonly description: string | null
  readonly start: CycleStart | null
  readonly nextPeriod: number
  readonly endAt: Instant | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

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
  readonly anchorDay: number
}

/**
 * How an order of a plan is collected. The order itself belongs to the payments module.
 * - `counted`: In billing_count, because it bills a period.
 * - `credit`: The part of the plan's credit that the order used.
 * - `givenCredit`: Null if nothing of the order went back as credit.
 * - `blocked`: Another operation of the order must end before the next attempt or the void.
 * - `paidFirst`: What became of the change that waits for the order's payment; null for other orders.
 */
export interface PlanOrder {
  readonly orderId: string
  readonly planId: string
  readonly cyclePosition: number
  readonly suffix: number
  readonly counted: boolean
  readonly state: 'open' | 'paid' | 'voided'
  readonly retriesExhausted: boolean
  readonly attempts: number
  readonly attemptTransaction: string | null
  readonly attemptedAt: Instant | null
  readonly nextAttemptAt: Instant | null
  readonly blocked: boolean
  readonly voidAt: Instant | null
  readonly dunning: DunningProgress | null
  readonly credit: Money
  readonly givenCredit: GivenCredit | null
  readonly paidFirst: 'waiting' | 'applied' | 'dropped' | null
  readonly createdAt: Instant
}

export const NEW_PLAN_ORDER = {
  counted: true,
  retriesExhausted: false,
  attempts: 0,
  attemptTransaction: null,
  attemptedAt: null,
  nextAttemptAt: null,
  blocked: false,
  voidAt: null,
  dunning: null,
  givenCredit: null,
  paidFirst: null,
} as const satisfies Partial<PlanOrder>

interface FailedAttempt {
  readonly orderId: string
  readonly transactionId: string
}

/**
 * A plan with its cycles by position, its open orders and its policy: the input and output of every decision.
 * - `taxGround`: Null for a plan without tax.
 * - `coupons`: Those that had not ended when the plan was read, in the order of attachment.
 */
export interface PlanAggregate {
  readonly plan: Plan
  readonly policy: DunningPolicy | null
  readonly cycles: readonly Cycle[]
  readonly orders: readonly PlanOrder[]
  readonly coupons: readonly PlanCoupon[]
  /** Attempts whose failure this change records. */
  readonly failedAttempts?: readonly FailedAttempt[]
  readonly taxGround: TaxGround | null
  readonly events: readonly PlanEvent[]
}

export type PlanEvent =
  | {
      readonly type:
        | 'plan.created'
        | 'plan.updated'
        | 'plan.paused'
        | 'plan.resumed'
        | 'plan.canceled'
        | 'plan.changed'
        | 'plan.change_scheduled'
        | 'plan.change_removed'
        | 'plan.trial_will_end'
        | 'plan.trial_ended'
        | 'plan.reactivated'
        | 'plan.coupon_attached'
        | 'plan.coupon_detached'
    }
  | {
      readonly type: 'cycle.activated' | 'cycle.past_due' | 'cycle.uncollectible' | 'cycle.completed'
      readonly position: number
    }

export function currentCycle(aggregate: PlanAggregate): Cycle {
  return cycleAt(aggregate, aggregate.plan.currentCycle)
}

export function cycleAt(aggregate: PlanAggregate, position: number): Cycle {
  const cycle = aggregate.cycles[position]
  if (cycle === undefined) throw new Error(`plan ${aggregate.plan.id} has no cycle ${position}`)
  return cycle
}

export function hasEnded(plan: Plan): boolean {
  return isFinal(plan.state)
}

export function isStillDue({ due }: Plan, found: Due): boolean {
  return due !== null && due.kind === found.kind && due.orderId === found.orderId && due.at.equals(found.at)
}

export function isCountReached(cycle: Cycle): boolean {
  return cycle.billingCount !== null && cycle.ordersCreated >= cycle.billingCount
}

export function isOpen(order: PlanOrder): boolean {
  return order.state === 'open'
}

export function isPastDue(order: PlanOrder): boolean {
  const hasFailed = order.attempts > 1 || (order.attempts === 1 && order.attemptTransaction === null)
  return isOpen(order) && (hasFailed || order.dunning !== null || order.retriesExhausted)
}

export function awaitsToken({ policy }: PlanAggregate, { dunning }: PlanOrder): boolean {
  return policy?.hard === 'wait' && dunning?.waits === true
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

/** Moves a cycle, and its plan if the cycle is current. `silent` writes no event of the cycle, because a plan.* event follows. */
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
  if (position === aggregate.plan.currentCycle) {
    changed = withPlan(changed, isFinal(state) ? { state, pauseUntil: null } : { state })
  }
  const type = EVENT_OF_STATE[state]
  return type === undefined || options.silent === true ? changed : withEvent(changed, { type, position })
}

/** Whether orders wait for the customer to pay them, without attempts (reference/billing-invoices#sent-invoices). */
export function sendsInvoices({ invoicing }: Plan): boolean {
  return invoicing?.collection === 'send_invoice'
}

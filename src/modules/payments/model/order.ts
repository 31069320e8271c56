import type { Instant } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import { Money } from '#kernel/money'
import type { IdempotencyId } from '#platform/idempotency/idempotency'
import type { OrderState } from './order.states.ts'

export const ORDER_SOURCES = ['api', 'recurring', 'payment_link'] as const
export type OrderSource = (typeof ORDER_SOURCES)[number]
export const ORDER_TYPES = ['one_off', 'recurring'] as const
export type OrderType = (typeof ORDER_TYPES)[number]
export const PURCHASABLE_TYPES = ['RearTips', 'Charge', 'Listing', 'Rounding', 'SurchargeFee'] as const
export type PurchasableType = (typeof PURCHASABLE_TYPES)[number]
export const CORRESPONDENCE_STATES = ['unpaid', 'partial_paid', 'paid', 'over_paid'] as const
export type CorrespondenceState = (typeof CORRESPONDENCE_STATES)[number]

export interface LineItem {
  readonly uuid: string
  readonly purchasableType: PurchasableType
  readonly purchaseId: number | null
  /** Negative for proration, discounts and credit. */
  readonly price: Money
  readonly quantity: number
  readonly label: string | null
}

export type NewLineItem = Omit<LineItem, 'uuid'>

export interface Timeout {
  /** As the caller wrote it: seconds or an ISO 8601 duration. */
  readonly timer: string
  readonly seconds: number
  readonly url: string | null
}

export interface Order {
  /** The `number` of the API. */
  readonly id: string
  readonly source: OrderSource
  readonly type: OrderType
  readonly referenceNumber: string
  readonly currency: Currency
  readonly dueDate: string | null
  readonly initialTotal: Money
  readonly initialTips: Money
  /** The sum of the successful Sales, Captures and Refunds. */
  readonly paidTotal: Money
  /** Payments under way, and what is authorized and not yet captured (reference/payments#reservations). */
  readonly reservedTotal: Money
  readonly state: OrderState
  readonly customerUuid: string | null
  /** The plan that made the order. */
  readonly planId: string | null
  readonly returnUrl: string | null
  readonly notifyUrl: string | null
  readonly timeout: Timeout | null
  /** When an unpaid one-off order with a timeout expires; null for any other. */
  readonly expiresAt: Instant | null
  readonly lineItems: readonly LineItem[] | null
  readonly voiding: Voiding | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A void of the order that is under way. A job resumes it after a crash. */
export interface Voiding {
  /** `merchant`: settled payments refuse the void. `grace`: they are refunded (reference/recurring#grace). */
  readonly mode: 'merchant' | 'grace'
  readonly idempotencyId: IdempotencyId
  readonly requestId: string | null
  /** When the job resumes it, on the business's clock. */
  readonly dueAt: Instant
  /** Inquiries about lost reversals so far; the next reversal backs off from there. */
  readonly inquiries: number
}

/** The totals must agree: `initialTotal` is the sum of the lines, tips included. */
export interface NewOrder {
  /** `newId('ord')`, for a caller that must know the id beforehand. */
  readonly id?: string
  readonly source: OrderSource
  readonly type: OrderType
  readonly referenceNumber: string
  readonly initialTotal: Money
  readonly initialTips?: Money
  readonly lineItems: readonly NewLineItem[] | null
  readonly dueDate?: string | null
  readonly customerUuid?: string | null
  readonly planId?: string
  readonly returnUrl?: string | null
  readonly notifyUrl?: string | null
  readonly timeout?: Timeout | null
  /** The amount that the caller charges by `initiateCharges` in the same transaction: this saves an update of the order. */
  readonly reserved?: Money
  /** The business's time of `created_at` and of the events. */
  readonly at: Instant
}

/** Null for orders that never expire: a plan's order stays, and only its payment link closes (reference/recurring#timeouts). */
export function runsOutAt({
  type,
  timeout,
  createdAt,
}: Pick<Order, 'type' | 'timeout' | 'createdAt'>): Instant | null {
  return type === 'one_off' && timeout !== null ? createdAt.add({ seconds: timeout.seconds }) : null
}

/** Negative when over-paid. */
export function unpaidTotal(order: Order): Money {
  return order.initialTotal.minus(order.paidTotal)
}

export function freeTotal(order: Order): Money {
  return unpaidTotal(order).minus(order.reservedTotal)
}

/** What the payer still owes: nothing after a refund, or once the order is closed. */
export function amountDue(order: Order, isPayable: boolean): Money {
  const unpaid = unpaidTotal(order)
  return isPayable && unpaid.isPositive() ? unpaid : Money.zero(order.currency)
}

export function subtotal(order: Pick<Order, 'initialTotal' | 'initialTips'>): Money {
  return order.initialTotal.minus(order.initialTips)
}

/** Computed, never stored (reference/orders#totals). */
export function correspondenceState(order: Pick<Order, 'initialTotal' | 'paidTotal'>): CorrespondenceState {
  const compared = order.paidTotal.compare(order.initialTotal)
  if (compared > 0) return 'over_paid'
  if (compared === 0) return 'paid'
  return order.paidTotal.isZero() ? 'unpaid' : 'partial_paid'
}

export function lineTotal(line: Pick<LineItem, 'price' | 'quantity'>): Money {
  return line.price.times(BigInt(line.quantity))
}

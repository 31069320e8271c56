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

/** A line as stored. Its total is `price × quantity`. */
export interface LineItem {
  readonly uuid: string
  readonly purchasableType: PurchasableType
  readonly purchaseId: number | null
  /** May be negative: Proration, Discount, Credit. */
  readonly price: Money
  readonly quantity: number
  readonly label: string | null
}

export type NewLineItem = Omit<LineItem, 'uuid'>

/** `timeout {timer, url?}` as given, and its length (decisions, section 5: "seconds or an ISO 8601 duration"). */
export interface Timeout {
  readonly timer: string
  readonly seconds: number
  readonly url: string | null
}

/** An order. `id` is its `number` in the interface. */
export interface Order {
  readonly id: string
  readonly source: OrderSource
  readonly type: OrderType
  readonly referenceNumber: string
  readonly currency: Currency
  readonly dueDate: string | null
  readonly initialTotal: Money
  readonly initialTips: Money
  /** The sum of successful Sales, Capture and Refund. */
  readonly paidTotal: Money
  /** What is on its way in: initiated, pending, waiting for the payer, unknown, or authorized and not yet captured. */
  readonly reservedTotal: Money
  readonly state: OrderState
  readonly customerUuid: string | null
  /** The plan that made the order. */
  readonly planId: string | null
  readonly returnUrl: string | null
  readonly notifyUrl: string | null
  readonly timeout: Timeout | null
  /** When an unpaid one-off order with a timeout expires; null when it cannot. */
  readonly expiresAt: Instant | null
  /** Null when the caller gave none. */
  readonly lineItems: readonly LineItem[] | null
  /** The void of this order that is under way. */
  readonly voiding: Voiding | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** A void that is not finished: it survives a crash and is taken up again. */
export interface Voiding {
  /** `merchant`: nothing settled may be there. `grace`: what is settled is refunded (decisions, section 5). */
  readonly mode: 'merchant' | 'grace'
  readonly idempotencyId: IdempotencyId
  readonly requestId: string | null
  /** When it is taken up again, on the business's clock. */
  readonly dueAt: Instant
  /** How often was asked about the reversals that never arrived, one after the other: the next one goes on from there. */
  readonly inquiries: number
}

/** What an order is made of. Totals must agree: `initialTotal` = lines, and = subtotal + tips. */
export interface NewOrder {
  /** Default a new one. `newId('ord')`, when the caller must know it beforehand. */
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
  /** What the caller will charge in the same transaction by `beginCharges`: written with the order, it costs no update. */
  readonly reserved?: Money
  /** The business's time of making: `created_at` and the events' time. */
  readonly at: Instant
}

/**
 * When the time to pay an order runs out; null when it never does. A plan's order stays: only its payment link closes
 * (decisions, section 5).
 */
export function runsOutAt({
  type,
  timeout,
  createdAt,
}: Pick<Order, 'type' | 'timeout' | 'createdAt'>): Instant | null {
  return type === 'one_off' && timeout !== null ? createdAt.add({ seconds: timeout.seconds }) : null
}

/** Left to be paid; negative when over-paid. */
export function unpaidTotal(order: Order): Money {
  return order.initialTotal.minus(order.paidTotal)
}

/** Left to be paid and not taken by a payment under way. */
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

/** Always computed, never stored (decisions, section 3). A total of 0 reads `paid`. */
export function correspondenceState(order: Pick<Order, 'initialTotal' | 'paidTotal'>): CorrespondenceState {
  const compared = order.paidTotal.compare(order.initialTotal)
  if (compared > 0) return 'over_paid'
  if (compared === 0) return 'paid'
  return order.paidTotal.isZero() ? 'unpaid' : 'partial_paid'
}

export function lineTotal(line: Pick<LineItem, 'price' | 'quantity'>): Money {
  return line.price.times(BigInt(line.quantity))
}

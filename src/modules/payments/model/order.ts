import { type Instant, isBefore } from '#kernel/clock'
import type { Currency } from '#kernel/currencies'
import { Money, sumMoney } from '#kernel/money'
import type { OrderTax, TaxedAs } from '#modules/taxes'
import type { EventCause } from '#platform/events/events'
import type { IdempotencyId } from '#platform/idempotency/idempotency'
import type { Metadata } from '#platform/http/validation/metadata'
import type { OrderState } from './order.states.ts'

export const ORDER_SOURCES = ['api', 'recurring', 'payment_link'] as const
type OrderSource = (typeof ORDER_SOURCES)[number]
export const ORDER_TYPES = ['one_off', 'recurring'] as const
type OrderType = (typeof ORDER_TYPES)[number]
export const PURCHASABLE_TYPES = ['RearTips', 'Charge', 'Listing', 'Rounding', 'SurchargeFee'] as const
export type PurchasableType = (typeof PURCHASABLE_TYPES)[number]
export const LINE_KINDS = [
  'item',
  'usage',
  'correction',
  'proration_credit',
  'proration_charge',
  'proration',
  'discount',
  'coupon',
  'tax',
  'balance',
  'credit',
  'to_credit',
] as const
export type LineKind = (typeof LINE_KINDS)[number]
export const BILLING_KINDS = ['period', 'change', 'usage', 'closing', 'top_up'] as const
export type BillingKind = (typeof BILLING_KINDS)[number]
export const CORRESPONDENCE_STATES = ['unpaid', 'partial_paid', 'paid', 'over_paid'] as const
export type CorrespondenceState = (typeof CORRESPONDENCE_STATES)[number]

export interface LineItem {
  readonly uuid: string
  readonly purchasableType: PurchasableType
  readonly purchaseId: number | null
  readonly price: Money
  readonly quantity: number
  readonly label: string | null
  readonly billed?: BilledLine | undefined
}

/**
 * What a line of a plan's order bills (reference/orders#billing).
 * - `period`: Two times as RFC 3339, because nothing computes with those of an order.
 * - `net`: What is left of the line after deductions, inclusive tax included; missing where the lines show it.
 * - `discount`: What the price of a changed item already leaves out; documents say so.
 * - `taxedAs`, `tax`: Missing where no tax was asked for. A credit is taxed as its charge was.
 */
export interface BilledLine {
  readonly kind: LineKind
  readonly period?: { readonly start: string; readonly end: string } | undefined
  readonly recurringItemId?: string | undefined
  readonly units?: number | undefined
  readonly net?: Money | undefined
  readonly discount?: Money | undefined
  readonly taxedAs?: TaxedAs | undefined
  readonly tax?: Money | undefined
  /** Missing for the standard category. */
  readonly taxCategory?: string | undefined
  /** For a line that takes something back: the order that billed it. */
  readonly creditedOrderId?: string | undefined
}

export type NewLineItem = Omit<LineItem, 'uuid'>

export interface Timeout {
  /** As the caller wrote it: seconds or an ISO 8601 duration. */
  readonly timer: string
  readonly seconds: number
  readonly url: string | null
}

/**
 * - `writtenOff`: What was given up of it, without a credit note.
 * - `movedToCredit`: What of an overpayment became credit of a plan.
 * - `creditedTotal`: What credit notes and changes lowered it by while it was open, and notes after that without giving back.
 * - `notedRefunds`: Refunds of a paid order for which its invoice has credit notes, so that they are no longer owed. Of an open
 *   order `creditedTotal` has them.
 * - `creditReturned`: What a void gave back of the plan's credit that the order had used. Nothing of that is paid any more.
 * - `planMetadata`: The plan's metadata when it made the order. Later changes of the plan do not change it.
 */
export interface Order {
  readonly id: string
  readonly source: OrderSource
  readonly type: OrderType
  readonly referenceNumber: string
  readonly currency: Currency
  readonly dueDate: string | null
  readonly initialTotal: Money
  readonly initialTips: Money
  readonly paidTotal: Money
  /** Payments under way, and what is authorized and not yet captured (reference/payments#reservations). */
  readonly reservedTotal: Money
  readonly creditedTotal: Money
  readonly writtenOff: Money
  readonly movedToCredit: Money
  readonly notedRefunds: Money
  readonly creditReturned: Money
  readonly state: OrderState
  readonly customerUuid: string | null
  readonly planId: string | null
  readonly billingKind: BillingKind
  readonly invoice: OrderInvoice | null
  readonly tax: OrderTax | null
  readonly returnUrl: string | null
  readonly notifyUrl: string | null
  readonly timeout: Timeout | null
  readonly expiresAt: Instant | null
  readonly lineItems: readonly LineItem[] | null
  readonly metadata: Metadata
  readonly planMetadata: Metadata
  readonly voiding: Voiding | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export interface OrderInvoice {
  readonly id: string
  readonly number: string
}

/**
 * - `mode`: `merchant`: settled payments refuse the void. `grace`: they are refunded (reference/recurring#grace).
 * - `inquiries`: How often lost reversals were inquired; the next one starts with that wait.
 */
export interface Voiding {
  readonly mode: 'merchant' | 'grace'
  readonly idempotencyId: IdempotencyId
  readonly requestId: string | null
  readonly dueAt: Instant
  readonly inquiries: number
}

/**
 * - `initialTotal`: The sum of the lines, tips included.
 * - `cause`: The request that causes its events. Default: the current one.
 * - `reserved`: The amount that the caller charges by `initiateCharges` in the same transaction. This saves an update.
 */
export interface NewOrder {
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
  readonly billingKind?: BillingKind
  readonly invoice?: OrderInvoice | null
  readonly tax?: OrderTax | null
  readonly returnUrl?: string | null
  readonly notifyUrl?: string | null
  readonly timeout?: Timeout | null
  readonly metadata?: Metadata
  readonly cause?: EventCause
  readonly planMetadata?: Metadata
  readonly reserved?: Money
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

export function decideExpiry({
  paidTotal,
  reservedTotal,
  voiding,
}: Pick<Order, 'paidTotal' | 'reservedTotal' | 'voiding'>): 'expires' | 'waits' | 'never' {
  if (!paidTotal.isZero()) return 'never'
  return reservedTotal.isZero() && voiding === null ? 'expires' : 'waits'
}

/** Whether plans or invoices follow the order. */
type Expiring = Pick<Order, 'expiresAt' | 'paidTotal' | 'reservedTotal'>

export function isPayable(order: Expiring & Pick<Order, 'state' | 'voiding'>, at: Instant): boolean {
  return order.state === 'open' && order.voiding === null && !isExpired(order, at)
}

function isExpired(order: Expiring, at: Instant): boolean {
  return (
    order.expiresAt !== null &&
    !isBefore(at, order.expiresAt) &&
    order.paidTotal.isZero() &&
    order.reservedTotal.isZero()
  )
}

export function isBilled({ type, invoice }: Pick<Order, 'type' | 'invoice'>): boolean {
  return type === 'recurring' || invoice !== null
}

const OWN_REFERENCE = /^(?:inv|pln)_/

/** The order's number for its payer. An id of ours, which stands where the merchant gave no reference, says nothing to a payer. */
export function payerReference({
  referenceNumber,
  invoice,
}: Pick<Order, 'referenceNumber' | 'invoice'>): string {
  return invoice !== null && OWN_REFERENCE.test(referenceNumber) ? invoice.number : referenceNumber
}

export function unpaidTotal(order: Order): Money {
  return order.initialTotal.minus(order.paidTotal)
}

type Payable = Pick<Order, 'initialTotal' | 'creditReturned' | 'creditedTotal' | 'writtenOff'>
type Paid = Payable & Pick<Order, 'paidTotal' | 'movedToCredit'>
type Noted = Paid & Pick<Order, 'notedRefunds'>

export function payableTotal(order: Payable): Money {
  return askedTotal(order).minus(order.creditedTotal).minus(order.writtenOff)
}

/** What the order asks money for before notes. After a void also for what credit of the plan had paid, which went back. */
export function askedTotal({
  initialTotal,
  creditReturned,
}: Pick<Order, 'initialTotal' | 'creditReturned'>): Money {
  return initialTotal.plus(creditReturned)
}

/**
 * Negative if it is over-paid. Of a voided order it is the claim that was given up. What a refund with a credit note gave back is owed
 * no more, although it lowered what was paid.
 */
export function dueTotal(order: Noted): Money {
  return payableTotal(order).minus(order.notedRefunds).minus(keptTotal(order))
}

/**
 * What an order asks for once its invoice asks for `lowered` less. What is then paid or not asked for any more does not stay written
 * off, so that nobody is over-paid by what was given up.
 */
export function loweredBy(order: Paid, lowered: Money): Pick<Order, 'creditedTotal' | 'writtenOff'> {
  const creditedTotal = order.creditedTotal.plus(lowered)
  const left = askedTotal(order).minus(creditedTotal).minus(keptTotal(order))
  const given = left.isNegative() ? Money.zero(left.currency) : left
  return { creditedTotal, writtenOff: given.lessThan(order.writtenOff) ? given : order.writtenOff }
}

/** What was paid of an order, without the overpayment that became credit of a plan. */
function keptTotal({ paidTotal, movedToCredit }: Paid): Money {
  return paidTotal.minus(movedToCredit)
}

/** What was paid beyond what the order is still worth, after credit notes (reference/billing-transfers#overpayments). */
export function overpaidTotal(order: Noted): Money {
  const over = dueTotal(order).negated()
  return over.isNegative() ? Money.zero(over.currency) : over
}

/** Whether credit of a plan was moved from an order that needs `amount` of what was paid to cover it. */
export function isInUse(order: Order, amount: Money): boolean {
  return order.movedToCredit.isPositive() && dueTotal(order).plus(amount).isPositive()
}

export function freeTotal(order: Order): Money {
  return dueTotal(order).minus(order.reservedTotal)
}

export function amountDue(order: Order, mayBePaid: boolean): Money {
  const due = dueTotal(order)
  return mayBePaid && due.isPositive() ? due : Money.zero(order.currency)
}

export function subtotal(order: Pick<Order, 'initialTotal' | 'initialTips'>): Money {
  return order.initialTotal.minus(order.initialTips)
}

export function correspondenceState(order: Paid): CorrespondenceState {
  const compared = keptTotal(order).compare(payableTotal(order))
  if (compared > 0) return 'over_paid'
  if (order.paidTotal.isZero() && order.initialTotal.isPositive()) return 'unpaid'
  return compared === 0 ? 'paid' : 'partial_paid'
}

/** What an order uses of its plan's credit, which paid that part of it. */
export function usedCredit({ currency, lineItems }: Pick<Order, 'currency' | 'lineItems'>): Money {
  const used = (lineItems ?? []).filter(({ billed }) => billed?.kind === 'credit')
  return sumMoney(currency, used.map(lineTotal)).negated()
}

export function lineTotal(line: Pick<LineItem, 'price' | 'quantity'>): Money {
  return line.price.times(BigInt(line.quantity))
}

import { type Instant, isBefore, timeOfChange } from '#kernel/clock'
import { Money } from '#kernel/money'
import { nextState } from '#kernel/state-table'
import { capabilitiesOf } from '#modules/acquirers'
import type { EventCause } from '#platform/events/events'
import type { PaymentEvent, RecordedEvent } from './order-event.ts'
import { ORDER_STATES, type OrderEvent } from './order.states.ts'
import { hasLapsed, isSuccessful, lapsesAt, refundedTotal, type Transaction, usedOf } from './transaction.ts'
import { isUnresolved, TRANSACTION_STATES } from './transaction.states.ts'
import { dueTotal, type LineItem, loweredBy, type Order, runsOutAt, usedCredit } from './order.ts'
import { isForgiven, type VoidCause } from './order-change.ts'

/**
 * - `lowered`: At most what the order asks for.
 * - `dueDate`: For orders that have one.
 */
export interface Rebill extends Pick<Order, 'tax'> {
  readonly invoice: NonNullable<Order['invoice']>
  readonly lines: readonly LineItem[]
  readonly lowered: Money
  readonly dueDate: string
}

export class OrderAggregate {
  readonly before: Order | null
  readonly #transactions: Map<string, Transaction>
  readonly #beforeChange = new Map<string, Transaction | null>()
  readonly #recordedEvents: RecordedEvent[] = []
  #order: Order
  #isCreatedForCharges = false
  #voidedBy: VoidCause | null = null
  #cause: EventCause | undefined

  constructor(order: Order, transactions: readonly Transaction[], isNew = false) {
    this.#order = order
    this.before = isNew ? null : order
    this.#transactions = new Map(transactions.map((transaction) => [transaction.id, transaction]))
  }

  static createdForCharges(created: Order): OrderAggregate {
    const aggregate = new OrderAggregate(created, [])
    aggregate.#order = { ...created, reservedTotal: Money.zero(created.currency) }
    aggregate.#isCreatedForCharges = true
    return aggregate
  }

  get order(): Order {
    return this.#order
  }

  /**
   * Whether the stored order needs an update. A new order needs none when its charges take exactly the amount that it
   * reserved for them.
   */
  get isOrderChanged(): boolean {
    const { before } = this
    if (before === null || this.#order === before) return false
    return !this.#isCreatedForCharges || !this.#order.reservedTotal.equals(before.reservedTotal)
  }

  get transactions(): readonly Transaction[] {
    return [...this.#transactions.values()]
  }

  transaction(id: string): Transaction {
    const transaction = this.#transactions.get(id)
    if (transaction === undefined) throw new Error(`order ${this.#order.id} has no transaction ${id}`)
    return transaction
  }

  get changedTransactions(): readonly { before: Transaction | null; transaction: Transaction }[] {
    return [...this.#beforeChange].map(([id, before]) => ({ before, transaction: this.transaction(id) }))
  }

  get recordedEvents(): readonly RecordedEvent[] {
    return this.#recordedEvents.filter(
      (event, index) =>
        event.type !== 'order.updated' ||
        !this.#recordedEvents.slice(index + 1).some((later) => later.type.startsWith('order.')),
    )
  }

  changeOrder(change: Partial<Order>, at: Instant): void {
    this.#order = { ...this.#order, ...change, updatedAt: timeOfChange(this.#order, at) }
  }

  add(transaction: Transaction): void {
    this.#transactions.set(transaction.id, transaction)
    this.#beforeChange.set(transaction.id, null)
  }

  reserve(payment: Transaction): void {
    this.add(payment)
    const reservedTotal = this.#order.reservedTotal.plus(payment.amount)
    this.changeOrder({ reservedTotal }, payment.createdAt)
  }

  change(id: string, change: Partial<Transaction>, at: Instant): Transaction {
    const before = this.transaction(id)
    const transaction = { ...before, ...change, updatedAt: timeOfChange(before, at) }
    this.#transactions.set(id, transaction)
    if (!this.#beforeChange.has(id)) this.#beforeChange.set(id, before)
    return transaction
  }

  setReceiptNumber(transaction: Transaction): void {
    this.#transactions.set(transaction.id, transaction)
  }

  /** Sets the request that causes the following events. */
  causedBy(cause: EventCause | undefined): void {
    this.#cause = cause
  }

  recordEvent(type: PaymentEvent, at: Instant, transactionId: string | null = null): void {
    this.#recordedEvents.push({ type, at, transactionId, cause: this.#cause })
  }

  move(event: OrderEvent, at: Instant): void {
    const state = nextState(ORDER_STATES, this.#order.state, event)
    if (state === undefined) throw new Error(`order ${this.#order.id}: no ${event} from ${this.#order.state}`)
    this.changeOrder({ state, expiresAt: null }, at)
    if (state === 'open') this.#creditNotedRefunds(at)
    this.recordEvent(EVENT_OF_MOVE[event], at)
  }

  /** An order that is open again asks for what its invoice asks for after its notes. */
  #creditNotedRefunds(at: Instant): void {
    const { creditedTotal, notedRefunds } = this.#order
    if (notedRefunds.isZero()) return
    const none = Money.zero(notedRefunds.currency)
    this.changeOrder({ creditedTotal: creditedTotal.plus(notedRefunds), notedRefunds: none }, at)
  }

  /**
   * Lowers what is to be paid, or the claim that the void of the order gave up. The caller makes sure that no payment is under way and
   * that `amount` is due.
   */
  credit(amount: Money, at: Instant): void {
    this.changeOrder({ creditedTotal: this.#order.creditedTotal.plus(amount) }, at)
    if (this.#order.state === 'open') this.#closeUnlessDue('credit', at)
    else this.recordEvent('order.updated', at)
  }

  /** Without anything left to pay, the order is completed if a part of it was paid, with money or with credit of the plan. */
  #closeUnlessDue(cause: VoidCause, at: Instant): void {
    const wasPaid = !this.#order.paidTotal.isZero() || usedCredit(this.#order).isPositive()
    if (dueTotal(this.#order).isPositive()) this.recordEvent('order.updated', at)
    else if (wasPaid) this.move('complete', at)
    else this.void(cause, at)
  }

  /** Replaces what the order bills. It asks for `lowered` less; a payment that was made is not touched. */
  rebill({ invoice, lines, tax, lowered, dueDate }: Rebill, at: Instant): void {
    const { state } = this.#order
    this.changeOrder(
      {
        invoice,
        lineItems: lines,
        tax,
        ...loweredBy(this.#order, lowered),
        dueDate: this.#order.dueDate === null ? null : dueDate,
      },
      at,
    )
    if (state === 'open') this.#closeUnlessDue('credit', at)
    else this.recordEvent('order.updated', at)
  }

  /**
   * Lowers what an order is worth that asks for nothing more: what was paid is then over-paid. Of what notes credit nothing stays
   * written off.
   * @param uncredited what notes leave of the invoice, also those that gave credit
   */
  creditPaid(amount: Money, uncredited: Money, at: Instant): void {
    const { initialTotal, creditedTotal, notedRefunds, writtenOff } = this.#order
    const credited = creditedTotal.plus(amount)
    const ofOrder = initialTotal.plus(usedCredit(this.#order)).minus(credited).minus(notedRefunds)
    const left = ofOrder.lessThan(uncredited) ? ofOrder : uncredited
    const kept = left.isNegative() ? Money.zero(left.currency) : left
    this.changeOrder(
      { creditedTotal: credited, writtenOff: kept.lessThan(writtenOff) ? kept : writtenOff },
      at,
    )
    this.recordEvent('order.updated', at)
  }

  /** Gives up a part of what is due. The caller makes sure that no payment is under way and that `amount` is due. */
  writeOff(amount: Money, at: Instant): void {
    this.changeOrder({ writtenOff: this.#order.writtenOff.plus(amount) }, at)
    this.#closeUnlessDue('write_off', at)
  }

  /** Takes back a write-off. The caller recalculates. */
  undoWriteOff(amount: Money, at: Instant): void {
    const { writtenOff } = this.#order
    const undone = amount.lessThan(writtenOff) ? amount : writtenOff
    this.changeOrder({ writtenOff: writtenOff.minus(undone) }, at)
  }

  /** The caller makes sure that `amount` is over-paid. */
  moveToCredit(amount: Money, at: Instant): void {
    this.changeOrder({ movedToCredit: this.#order.movedToCredit.plus(amount) }, at)
    this.recordEvent('order.updated', at)
  }

  /** Records that credit notes cover refunds. */
  noteRefunds(amount: Money, at: Instant): void {
    this.changeOrder({ notedRefunds: this.#order.notedRefunds.plus(amount) }, at)
  }

  /**
   * The note of a merchant's void credits all that is left of an invoice, so nothing stays written off. The plan's credit goes back,
   * unless nothing was owed any more.
   */
  void(cause: VoidCause, at: Instant): void {
    this.#voidedBy = cause
    if (!isForgiven(cause)) this.changeOrder({ creditReturned: usedCredit(this.#order) }, at)
    if (cause === 'merchant' && this.#order.writtenOff.isPositive())
      this.changeOrder({ writtenOff: Money.zero(this.#order.currency) }, at)
    this.move('void', at)
  }

  get voidedBy(): VoidCause | null {
    return this.#voidedBy
  }

  /**
   * Computes the totals from the transactions and moves the order: to paid, short again, refunded or expired.
   * @param cause a void or a late failure reopens a completed order, a refund does not, and neither does one that is undone
   */
  recalculate(at: Instant, cause?: 'void' | 'late_failure' | 'undone_refund'): void {
    this.#updateAuthorizations(at)
    const { paid, reserved } = sums(this.#order, this.transactions)
    const changed = !paid.equals(this.#order.paidTotal)
    if (changed || !reserved.equals(this.#order.reservedTotal)) {
      this.changeOrder({ paidTotal: paid, reservedTotal: reserved }, at)
    }
    const event =
      cause === 'late_failure'
        ? moveAfterFailure(this.#order, refundedTotal(this.#order.currency, this.transactions))
        : moveAfter(this.#order, cause, refundedTotal(this.#order.currency, this.transactions))
    if (event !== null) this.move(event, at)
    else if (changed) this.recordEvent('order.updated', at)
    this.#expireIfOverdue(at)
  }

  /** The time counts from creation, whatever was paid and voided since (reference/orders#timeouts). */
  #expireIfOverdue(at: Instant): void {
    const { state, voiding, paidTotal, reservedTotal, expiresAt } = this.#order
    const runsOut = runsOutAt(this.#order)
    if (runsOut === null || state !== 'open' || voiding !== null) return
    if (!paidTotal.isZero() || !reservedTotal.isZero()) return
    if (!isBefore(at, runsOut)) this.move('expire', at)
    else if (expiresAt === null) this.changeOrder({ expiresAt: runsOut }, at)
  }

  expireAuthorization(id: string, at: Instant): void {
    const transaction = this.transaction(id)
    const { underWay } = usedOf(transaction, this.transactions)
    if (transaction.state !== 'authorized' || !underWay.isZero() || transaction.voidPending) return
    this.#expire(transaction, at)
    this.recalculate(at)
  }

  /** A capture or void that is under way reports itself how it ended. */
  releaseAuthorization(id: string, at: Instant): void {
    const transaction = this.transaction(id)
    const { done, underWay } = usedOf(transaction, this.transactions)
    if (transaction.state !== 'authorized' || transaction.voidPending) return
    if (!done.isZero() || !underWay.isZero()) return
    this.change(id, { state: TRANSACTION_STATES.authorized.void }, at)
    this.recordEvent('transaction.voided', at, id)
    this.recalculate(at, 'void')
  }

  #expire({ id }: Transaction, at: Instant): void {
    this.change(id, { state: TRANSACTION_STATES.authorized.expire, expiresAt: null }, at)
    this.recordEvent('transaction.voided', at, id)
  }

  #updateAuthorizations(at: Instant): void {
    for (const transaction of this.transactions) {
      const lapses = lapsesAt(transaction)
      if (lapses === null) continue
      const { id, amount, expiresAt, voidPending } = transaction
      const { done, underWay } = usedOf(transaction, this.transactions)
      const isHeld = transaction.state === 'authorized' && done.lessThan(amount)
      const isReleased = !done.isZero() && !capabilitiesOf(transaction.acquirerName).multipleCaptures
      const isOver = isReleased || hasLapsed(transaction, at)
      if (isHeld && isOver && underWay.isZero() && !voidPending) {
        this.#expire(transaction, at)
      } else if (isHeld !== (expiresAt !== null)) {
        this.change(id, { expiresAt: isHeld ? lapses : null }, at)
      }
    }
  }
}

const EVENT_OF_MOVE = {
  complete: 'order.paid',
  shorten: 'order.updated',
  refund_all: 'order.refunded',
  restore: 'order.updated',
  void: 'order.voided',
  expire: 'order.expired',
} as const satisfies Record<OrderEvent, PaymentEvent>

function sums(order: Order, transactions: readonly Transaction[]): { paid: Money; reserved: Money } {
  let paid = Money.zero(order.currency)
  let reserved = paid
  for (const transaction of transactions) {
    const { type, state, amount } = transaction
    if (type !== 'Authorization' && isSuccessful(transaction)) paid = paid.plus(amount)
    if ((type === 'Sales' || type === 'Authorization') && isUnresolved(state))
      reserved = reserved.plus(amount)
    if (state === 'authorized') reserved = reserved.plus(amount.minus(usedOf(transaction, transactions).done))
  }
  return { paid, reserved }
}

/**
 * The move that the totals demand. An order that is being voided becomes neither completed nor refunded, because the
 * void decides its state. The void of a transaction reopens even such an order, because the order's void may be
 * abandoned later.
 */
function moveAfter(
  order: Order,
  cause: 'void' | 'undone_refund' | undefined,
  refunded: Money,
): OrderEvent | null {
  const isShort = dueTotal(order).isPositive()
  if (cause === 'void' && order.state === 'completed' && isShort) return 'shorten'
  if (order.voiding !== null) return null
  if (order.state === 'open') return isShort ? null : 'complete'
  if (order.state === 'refunded')
    return cause === 'undone_refund' && order.paidTotal.isPositive() ? 'restore' : null
  return order.state === 'completed' && refunded.isPositive() && order.paidTotal.isZero()
    ? 'refund_all'
    : null
}

/**
 * A payment may fail late while its refund stands. More money then went out than came in. The order waits for the failure of
 * the refund, so that nobody pays the refunded amount again.
 */
function moveAfterFailure(order: Order, refunded: Money): OrderEvent | null {
  const { state, voiding, paidTotal } = order
  if (voiding !== null || (state !== 'completed' && state !== 'refunded') || paidTotal.isNegative())
    return null
  const due = dueTotal(order)
  // An invoice has notes for what was refunded of its worth, so what is due of it is owed whatever becomes of the refund.
  if (order.invoice === null ? due.greaterThan(refunded) : due.isPositive()) return 'shorten'
  if (state === 'refunded') return paidTotal.isPositive() ? 'restore' : null
  return paidTotal.isZero() && refunded.isPositive() ? 'refund_all' : null
}

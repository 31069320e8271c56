import { Money, sumMoney } from '#kernel/money'
import type { OrderTax } from '#modules/taxes'
import { isUnresolved } from './transaction.states.ts'
import { dueTotal, type LineItem, lineTotal, type Order, overpaidTotal, usedCredit } from './order.ts'
import { isSuccessful, type Transaction } from './transaction.ts'

/**
 * What is left to give back, as money or as credit, by changes of plans, cancellations, credit notes and refunds by hand
 * (reference/billing-changes#once).
 */

export interface PaidOrder {
  readonly order: Order
  readonly transactions: readonly Transaction[]
}

/**
 * For one order, returns what was paid with money and with the plan's credit, less what went back and what disputes lost. A refund
 * under way counts until it fails. The result is negative if a payment was lost after it had been given back.
 * @param creditGiven what went back as credit of the plan
 */
export function leftOfOrder({ order, transactions }: PaidOrder, creditGiven: Money | undefined): Money {
  const received = receivedBy({ order, transactions })
    .minus(refundsOf({ order, transactions }))
    .minus(order.movedToCredit)
    .minus(lostTotal(order.currency, transactions))
  return creditGiven === undefined ? received : received.minus(creditGiven)
}

/** As `leftOfOrder`; undefined if nothing went back as credit or was lost, because each payment knows its refunds. */
export function leftBesideCredit(paid: PaidOrder, creditGiven: Money | undefined): Money | undefined {
  const { order, transactions } = paid
  const lost = lostTotal(order.currency, transactions)
  const isGiven = [creditGiven, order.movedToCredit, lost].some((money) => money?.isPositive() === true)
  return isGiven ? leftOfOrder(paid, creditGiven) : undefined
}

/** What is over-paid and still there: not being voided or refunded, not given back as credit, not lost in a dispute. */
export function overpaidOf({ order, transactions }: PaidOrder, creditGiven: Money | undefined): Money {
  const underWay = sumMoney(
    order.currency,
    transactions.flatMap(({ type, state, amount, voidPending }) => {
      if (type === 'Refund') return isUnresolved(state) ? amount : []
      return voidPending && type !== 'Authorization' ? amount.negated() : []
    }),
  )
  const over = overpaidTotal(order).plus(underWay).minus(lostTotal(order.currency, transactions))
  const left = leftOfOrder({ order, transactions }, creditGiven)
  const overpaid = left.lessThan(over) ? left : over
  return overpaid.isPositive() ? overpaid : Money.zero(order.currency)
}

/**
 * What of a paid order was given back by hand beyond what was over-paid, and is covered by no credit note. Nobody owes it, because the
 * order stays closed (reference/billing-transfers#overpayments).
 */
export function repaidBeyond(order: Order): Money {
  const isClosed = order.state === 'completed' || order.state === 'refunded'
  const due = dueTotal(order)
  return isClosed && due.isPositive() ? due : Money.zero(order.currency)
}

function receivedBy({ order, transactions }: PaidOrder): Money {
  const paid = sumMoney(
    order.currency,
    transactions.filter(isPaid).map(({ amount }) => amount),
  )
  return paid.plus(usedCredit(order)).minus(order.creditReturned)
}

function refundsOf({ order: { currency }, transactions }: PaidOrder): Money {
  return sumMoney(
    currency,
    transactions.filter(isRefund).map(({ amount }) => amount.abs()),
  )
}

function lostTotal(currency: string, transactions: readonly Transaction[]): Money {
  return sumMoney(
    currency,
    transactions.filter(isSuccessful).flatMap(({ lost }) => lost ?? []),
  )
}

function isPaid({ type, state }: Transaction): boolean {
  return (type === 'Sales' || type === 'Capture') && state === 'succeeded'
}

export function isRefund({ type, state }: Transaction): boolean {
  return type === 'Refund' && (state === 'succeeded' || isUnresolved(state))
}

/**
 * For the orders of one period together, because they pay for each other: the lines of a change use what was paid for an
 * earlier order. Lines that take back parts of an order outside the period are paid by that order, less what they gave to the
 * plan's credit.
 */
export function leftOfOrders(
  currency: string,
  orders: readonly PaidOrder[],
  creditGiven: ReadonlyMap<string, Money>,
): Money {
  const ids = new Set(orders.map(({ order }) => order.id))
  return sumMoney(
    currency,
    orders.map((paid) => {
      const { order } = paid
      const left = leftOfOrder(paid, creditGiven.get(order.id))
      if (order.state === 'voided') return left
      return left.plus(takenOver(currency, { lines: order.lineItems ?? [], tax: order.tax }, ids))
    }),
  )
}

interface WrittenLines {
  readonly lines: readonly Pick<LineItem, 'billed' | 'price' | 'quantity'>[]
  readonly tax: OrderTax | null
}

/** What lines took back from orders that are not among `ids`, less what they gave to the plan's credit. */
export function takenOver(currency: string, { lines, tax }: WrittenLines, ids: ReadonlySet<string>): Money {
  const amounts = lines.map((line) => {
    if (line.billed?.kind === 'to_credit') return lineTotal(line)
    const { kind, creditedOrderId } = line.billed ?? {}
    const isTaken = kind === 'proration_credit' && creditedOrderId !== undefined && !ids.has(creditedOrderId)
    return isTaken ? grossOf(line, tax) : Money.zero(currency)
  })
  const rest = sumMoney(currency, amounts)
  return rest.isNegative() ? rest.negated() : Money.zero(currency)
}

/** With tax. */
export function grossOf(line: WrittenLines['lines'][number], tax: OrderTax | null): Money {
  const { net = lineTotal(line), tax: added } = line.billed ?? {}
  return added === undefined || tax?.behavior === 'inclusive' ? net : net.plus(added)
}

/**
 * - `total`: What was billed for the line, with tax.
 * - `credited`: What notes credited of it.
 */
export interface CreditableLine {
  readonly total: Money
  readonly credited: Money
}

/**
 * For each line, returns what was billed less what notes credited of it. Refunds without a note are shared over the lines in
 * proportion to what is left of each.
 */
export function leftOfLines(lines: readonly CreditableLine[], refunded: Money): Money[] {
  const left = lines.map(({ total, credited }) => total.minus(credited))
  const whole = sumMoney(refunded.currency, left)
  if (!refunded.isPositive()) return left
  if (!refunded.lessThan(whole)) return left.map(() => Money.zero(refunded.currency))
  return left.map((money) => money.minus(money.prorate(refunded.minor, whole.minor)))
}

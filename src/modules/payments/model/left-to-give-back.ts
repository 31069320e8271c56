import { Money, sumMoney } from '#kernel/money'
import type { OrderTax } from '#modules/taxes'
import { isUnresolved } from './transaction.states.ts'
import { type LineItem, lineTotal, type Order } from './order.ts'
import type { Transaction } from './transaction.ts'

/**
 * What is left to give back, as money or as credit, by changes of plans, cancellations, credit notes and refunds by hand
 * (reference/billing-changes#once).
 */

interface PaidOrder {
  readonly order: Order
  readonly transactions: readonly Transaction[]
}

/**
 * Of an order: what was paid with money and with the plan's credit, less what went back. A refund under way counts until it
 * fails. Negative where money was taken away after it had been given back.
 * @param creditGiven what went back to the credit of the plan
 */
export function leftOfOrder({ order, transactions }: PaidOrder, creditGiven: Money | undefined): Money {
  const received = receivedBy({ order, transactions }).minus(refundsOf({ order, transactions }))
  return creditGiven === undefined ? received : received.minus(creditGiven)
}

function receivedBy({ order, transactions }: PaidOrder): Money {
  const paid = sumMoney(
    order.currency,
    transactions.filter(isPaid).map(({ amount }) => amount),
  )
  return paid.plus(creditUsedBy(order))
}

/** The merchant's void and that of grace give the credit back; a void by what credited the order does not. */
function creditUsedBy({ currency, state, lineItems, initialTotal, creditedTotal }: Order): Money {
  const isCredited = creditedTotal.isPositive() && creditedTotal.equals(initialTotal)
  if (state === 'voided' && !isCredited) return Money.zero(currency)
  const used = (lineItems ?? []).filter(({ billed }) => billed?.kind === 'credit')
  return sumMoney(currency, used.map(lineTotal)).negated()
}

function refundsOf({ order: { currency }, transactions }: PaidOrder): Money {
  return sumMoney(
    currency,
    transactions.filter(isRefund).map(({ amount }) => amount.abs()),
  )
}

function isPaid({ type, state }: Transaction): boolean {
  return (type === 'Sales' || type === 'Capture') && state === 'succeeded'
}

export function isRefund({ type, state }: Transaction): boolean {
  return type === 'Refund' && (state === 'succeeded' || isUnresolved(state))
}

/**
 * Of the orders of one period, which pay for each other: the lines of a change take over what an order before it was paid.
 * Lines that take back something of any other order are paid by that one, less what they gave to the plan's credit.
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

/** What lines took back of orders that are not among `ids`, less what they gave to the plan's credit. */
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
 * Of lines: what was billed for each less what notes credited of it. Refunds without a note are shared over the lines by what
 * is left of each.
 */
export function leftOfLines(lines: readonly CreditableLine[], refunded: Money): Money[] {
  const left = lines.map(({ total, credited }) => total.minus(credited))
  const whole = sumMoney(refunded.currency, left)
  if (!refunded.isPositive()) return left
  if (!refunded.lessThan(whole)) return left.map(() => Money.zero(refunded.currency))
  return left.map((money) => money.minus(money.prorate(refunded.minor, whole.minor)))
}

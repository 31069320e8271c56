import { Money } from '#kernel/money'
import {
  grossOf,
  isForgiven,
  leftOfOrder,
  leftOfOrders,
  type OrderChange,
  type OrderWithTransactions,
} from '#modules/payments'
import type { BilledLines } from './order-lines.ts'
import type { CreditSource, GivenCredit } from '../model/given-credit.ts'
import { type PlanAggregate, type PlanOrder, withEvent, withOrder, withPlan } from '../model/plan.ts'

/**
 * What is left to give back of a period.
 * - `orders`: Those that billed it, the oldest first.
 */
export interface PaidPeriod {
  readonly left: Money
  readonly orders: readonly { readonly orderId: string; readonly left: Money }[]
}

export function paidPeriodOf(
  currency: string,
  orders: readonly OrderWithTransactions[],
  given: ReadonlyMap<string, Money>,
): PaidPeriod {
  return {
    left: leftOfOrders(currency, orders, given),
    orders: orders.map((paid) => ({
      orderId: paid.order.id,
      left: leftOfOrder(paid, given.get(paid.order.id)),
    })),
  }
}

/**
 * Returns from which orders new lines move money to the plan's credit. The period's orders come first, the newest before older
 * ones, as for refunds. Then come other orders whose lines they take back.
 */
export function creditSources({ lines, toCredit, tax }: BilledLines, period?: PaidPeriod): CreditSource[] {
  const ofPeriod = (period?.orders ?? []).map(({ orderId, left: amount }) => ({ orderId, amount }))
  const known = new Set(ofPeriod.map(({ orderId }) => orderId))
  const others = lines.flatMap((line): CreditSource[] => {
    const { kind, creditedOrderId } = line.billed
    if (kind !== 'proration_credit' || creditedOrderId === undefined || known.has(creditedOrderId)) return []
    return [{ orderId: creditedOrderId, amount: grossOf(line, tax).negated() }]
  })
  let rest = toCredit
  return [...ofPeriod.toReversed(), ...others].flatMap(({ orderId, amount }): CreditSource[] => {
    const part = amount.lessThan(rest) ? amount : rest
    if (!part.isPositive()) return []
    rest = rest.minus(part)
    return [{ orderId, amount: part }]
  })
}

/** - `change`: What it adds to the plan's credit; negative for what it takes back. */
export interface SettledCredit {
  readonly aggregate: PlanAggregate
  readonly change: Money
}

/**
 * Keeps the credit that was given for an order in step with its payments. What no payment covers any more is taken back from the
 * plan's credit, as far as that suffices. When the payment returns, so does the credit.
 * @param covered what payments cover of the order, less what was refunded
 */
export function settleGivenCredit(
  aggregate: PlanAggregate,
  { orderId, givenCredit }: Pick<PlanOrder, 'orderId' | 'givenCredit'>,
  covered: Money,
  { mayComeAgain }: { readonly mayComeAgain: boolean },
): SettledCredit {
  const { credit } = aggregate.plan
  const none = Money.zero(credit.currency)
  if (givenCredit === null) return { aggregate, change: none }
  const { given, taken } = givenCredit
  const wanted = smaller(positive(covered), given.plus(taken))
  const lack = positive(given.minus(wanted))
  const change = lack.isPositive() ? smaller(lack, positive(credit)).negated() : wanted.minus(given)
  const settled: GivenCredit = {
    given: given.plus(change),
    taken: mayComeAgain ? taken.minus(change) : taken,
    missing: positive(lack.plus(change.isNegative() ? change : none)),
  }
  if (change.isZero() && settled.missing.equals(givenCredit.missing)) return { aggregate, change: none }
  const changed = withOrder(aggregate, orderId, { givenCredit: settled })
  if (change.isZero()) return { aggregate: changed, change }
  return {
    aggregate: withEvent(withPlan(changed, { credit: credit.plus(change) }), { type: 'plan.updated' }),
    change,
  }
}

/** A void gives back what the order used of the plan's credit, so nothing covers what the order gave any more. */
export function coveredBy({ order, allTransactions, voidedBy }: OrderChange): Money {
  if (order.state === 'voided' && !isForgiven(voidedBy)) return Money.zero(order.currency)
  return leftOfOrder({ order, transactions: allTransactions }, undefined)
}

function positive(money: Money): Money {
  return money.isNegative() ? Money.zero(money.currency) : money
}

function smaller(a: Money, b: Money): Money {
  return a.lessThan(b) ? a : b
}

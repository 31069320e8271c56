import type { Instant } from '#kernel/clock'
import { Money, sumMoney } from '#kernel/money'
import type { Order } from '#modules/payments'
import type { CreditEntry, CreditSource, NewGivenCredit } from '#modules/plans'

/**
 * A new order that adds to the credit of its plan.
 * - `toCredit`: What it adds in all.
 * - `sources`: The orders that were paid for it. What they do not cover has no order.
 */
export interface CreditGift {
  readonly planId: string
  readonly order: Pick<Order, 'id' | 'referenceNumber'>
  readonly toCredit: Money
  readonly sources: readonly CreditSource[]
  readonly at: Instant
}

/** - `takenOf`: By plan, what the orders had not been paid, and is taken from the credit again. */
export interface DecidedCredit {
  readonly entries: readonly CreditEntry[]
  readonly given: readonly NewGivenCredit[]
  readonly takenOf: ReadonlyMap<string, Money>
}

/** @param leftOf by order, what is left to give back of its payments */
export function decideGivenCredit(
  gifts: readonly CreditGift[],
  leftOf: ReadonlyMap<string, Money>,
): DecidedCredit {
  const left = new Map(leftOf)
  const entries: CreditEntry[] = []
  const given = new Map<string, NewGivenCredit>()
  const takenOf = new Map<string, Money>()
  for (const { planId, order, toCredit, sources, at } of gifts) {
    const entry = { planId, givenBy: order.id, note: order.referenceNumber, at }
    for (const { orderId, amount } of sources) {
      const covered = smallerPositive(left.get(orderId), amount)
      left.set(orderId, (left.get(orderId) ?? covered).minus(covered))
      const taken = amount.minus(covered)
      entries.push({ ...entry, orderId, amount })
      if (taken.isPositive()) entries.push({ ...entry, orderId, amount: taken.negated() })
      const before = given.get(orderId)
      given.set(orderId, {
        orderId,
        amount: before === undefined ? covered : before.amount.plus(covered),
        taken: before === undefined ? taken : before.taken.plus(taken),
      })
      takenOf.set(planId, takenOf.get(planId)?.plus(taken) ?? taken)
    }
    const unknown = toCredit.minus(sumOf(toCredit.currency, sources))
    if (unknown.isPositive()) entries.push({ ...entry, orderId: null, amount: unknown })
  }
  return { entries, given: [...given.values()], takenOf }
}

function sumOf(currency: string, sources: readonly CreditSource[]): Money {
  return sumMoney(
    currency,
    sources.map(({ amount }) => amount),
  )
}

function smallerPositive(left: Money | undefined, amount: Money): Money {
  if (left === undefined || !left.isPositive()) return Money.zero(amount.currency)
  return left.lessThan(amount) ? left : amount
}

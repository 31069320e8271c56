import type { Instant } from '#kernel/clock'
import { Money, sumMoney } from '#kernel/money'
import { leftOfOrder, type Order } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import {
  addGivenCredit,
  type BilledLines,
  type CreditEntry,
  type CreditSource,
  creditSources,
  findGivenCredit,
  insertCredits,
  type NewGivenCredit,
  type PlanAggregate,
  withPlan,
} from '#modules/plans'
import type { BillingContext } from '../context.ts'

interface BilledOrder {
  readonly aggregate: PlanAggregate
  readonly bill: { readonly lines: BilledLines; readonly sources?: readonly CreditSource[] | undefined }
  readonly order: Order
  readonly at: Instant
}

/**
 * Books what new orders add to the credit of their plans, as given back by the orders that were paid for it. Lines that waited
 * may have taken back more than those orders were paid. The excess is taken from the credit at once. Sends no statement if no
 * order gives credit.
 * @returns by plan, what was taken
 */
export async function bookGivenCredit(
  ctx: BillingContext,
  tx: Tx,
  billed: readonly BilledOrder[],
): Promise<ReadonlyMap<string, Money>> {
  const giving = billed.filter(({ bill }) => bill.lines.toCredit.isPositive())
  if (giving.length === 0) return new Map()
  const gifts = giving.map((one) => ({ ...one, sources: one.bill.sources ?? creditSources(one.bill.lines) }))
  const ids = [...new Set(gifts.flatMap(({ sources }) => sources.map(({ orderId }) => orderId)))]
  const [orders, given] = await Promise.all([ctx.payments.findOrders(tx, ids), findGivenCredit(tx, ids)])
  const left = new Map<string, Money>()
  for (const [id, paid] of orders) left.set(id, leftOfOrder(paid, given.get(id)))
  const rows: CreditEntry[] = []
  const added = new Map<string, NewGivenCredit>()
  const takenOf = new Map<string, Money>()
  for (const { aggregate, bill, order, at, sources } of gifts) {
    const planId = aggregate.plan.id
    const row = { planId, givenBy: order.id, note: order.referenceNumber, at }
    for (const source of sources) {
      const covered = smallerPositive(left.get(source.orderId), source.amount)
      left.set(source.orderId, (left.get(source.orderId) ?? covered).minus(covered))
      const taken = source.amount.minus(covered)
      rows.push({ ...row, orderId: source.orderId, amount: source.amount })
      if (taken.isPositive()) rows.push({ ...row, orderId: source.orderId, amount: taken.negated() })
      const before = added.get(source.orderId)
      added.set(source.orderId, {
        orderId: source.orderId,
        amount: before === undefined ? covered : before.amount.plus(covered),
        taken: before === undefined ? taken : before.taken.plus(taken),
      })
      takenOf.set(planId, takenOf.get(planId)?.plus(taken) ?? taken)
    }
    const unknown = bill.lines.toCredit.minus(sumOf(bill.lines.toCredit.currency, sources))
    if (unknown.isPositive()) rows.push({ ...row, orderId: null, amount: unknown })
  }
  tx.defer(insertCredits(tx, rows))
  tx.defer(addGivenCredit(tx, [...added.values()]))
  return takenOf
}

export function withoutTaken(aggregate: PlanAggregate, taken: Money | undefined): PlanAggregate {
  if (taken === undefined || taken.isZero()) return aggregate
  return withPlan(aggregate, { credit: aggregate.plan.credit.minus(taken) })
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

import type { Instant } from '#kernel/clock'
import type { Money } from '#kernel/money'
import { leftOfOrder, type Order } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import {
  addGivenCredit,
  type BilledLines,
  type CreditSource,
  creditSources,
  findGivenCredit,
  insertCredits,
  type PlanAggregate,
  withPlan,
} from '#modules/plans'
import type { BillingContext } from '../context.ts'
import { decideGivenCredit } from './decide-given-credit.ts'

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
  const gifts = giving.map(({ aggregate, bill, order, at }) => ({
    planId: aggregate.plan.id,
    order,
    toCredit: bill.lines.toCredit,
    sources: bill.sources ?? creditSources(bill.lines),
    at,
  }))
  const ids = [...new Set(gifts.flatMap(({ sources }) => sources.map(({ orderId }) => orderId)))]
  const [orders, given] = await Promise.all([ctx.payments.findOrders(tx, ids), findGivenCredit(tx, ids)])
  const leftOf = new Map([...orders].map(([id, paid]) => [id, leftOfOrder(paid, given.get(id))]))
  const decided = decideGivenCredit(gifts, leftOf)
  tx.defer(insertCredits(tx, decided.entries))
  tx.defer(addGivenCredit(tx, decided.given))
  return decided.takenOf
}

export function withoutTaken(aggregate: PlanAggregate, taken: Money | undefined): PlanAggregate {
  if (taken === undefined || taken.isZero()) return aggregate
  return withPlan(aggregate, { credit: aggregate.plan.credit.minus(taken) })
}

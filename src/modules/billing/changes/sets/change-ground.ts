import { timeOfChange } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import { type ChangeGround, findCycleItems, findOrderPeriods, type PlanAggregate } from '#modules/plans'
import type { BillingContext } from '../../context.ts'
import {
  billedOfPeriod,
  billingOrderIds,
  openOrders,
  type OrdersById,
  paidPeriod,
} from './decide-billed-period.ts'

/** Reads what decides a change of these plans. */
export async function readChangeGrounds(
  { invoices }: Pick<BillingContext, 'invoices'>,
  tx: Tx,
  plans: readonly PlanAggregate[],
  orders: OrdersById,
): Promise<ChangeGround[]> {
  const [items, periods, left] = await Promise.all([
    findCycleItems(
      tx,
      plans.map(({ plan }) => plan.id),
    ),
    findOrderPeriods(
      tx,
      plans.flatMap((aggregate) => billingOrderIds(aggregate)),
    ),
    invoices.leftOfOrderLines(tx, [...orders.values()]),
  ])
  const open = openOrders(orders)
  return plans.map((aggregate) => {
    const { plan } = aggregate
    const ofPlan = items.get(plan.id) ?? []
    const billed = billedOfPeriod(aggregate, ofPlan, orders, periods)
    return {
      aggregate,
      items: ofPlan,
      billed,
      paid: paidPeriod(plan.credit.currency, billed, orders, periods),
      left,
      orders: open,
      now: timeOfChange(plan, tx.now),
    }
  })
}

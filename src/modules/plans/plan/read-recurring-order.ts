import { type Customer, customerErrors, type PaymentToken } from '#modules/customers'
import type { OrderWithTransactions } from '#modules/payments'
import type { Instant } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import type { PlansContext } from '../context.ts'
import { catalogueErrors as errors, type CycleItem } from '#modules/catalogue'
import { type Cycle, cycleAt, type Plan } from '../model/plan.ts'
import type { RecurringOrderRequest } from '../model/plan-requests.ts'
import { loadPlans, orderOfPlan } from '../storage/plan-aggregate.repository.ts'
import { findCycleItems } from '../storage/cycle-item.repository.ts'

export interface RecurringOrderView {
  readonly customer: Customer
  readonly defaultToken: PaymentToken | undefined
  readonly plan: Plan
  readonly cycle: Cycle
  readonly items: readonly CycleItem[]
  readonly order: OrderWithTransactions
  readonly at: Instant
}

export async function readRecurringOrder(
  ctx: PlansContext,
  caller: Caller,
  { customer_uuid: uuid, order: { number } }: RecurringOrderRequest,
): Promise<RecurringOrderView> {
  const read = async (tx: Tx): Promise<RecurringOrderView> => {
    const [customers, tokens, orders, planOrder] = await Promise.all([
      ctx.customers.findCustomers(tx, [uuid]),
      ctx.customers.defaultTokens(tx, [uuid]),
      ctx.payments.findOrders(tx, [number]),
      orderOfPlan(tx, number),
    ])
    const customer = customers.get(uuid)
    if (customer === undefined) throw customerErrors.customer_not_found({ param: 'customer_uuid' })
    const order = orders.get(number)
    if (order === undefined || planOrder === undefined || order.order.customerUuid !== uuid) {
      throw errors.recurring_order_not_found({ param: 'order.number' })
    }
    const { planId, cyclePosition } = planOrder
    const [plans, items] = await Promise.all([
      loadPlans(tx, { planIds: [planId], bills: false }),
      findCycleItems(tx, [planId]),
    ])
    const aggregate = plans.get(planId)
    if (aggregate === undefined) throw new Error(`plan ${planId} is gone`)
    return {
      customer,
      defaultToken: tokens.get(uuid),
      plan: aggregate.plan,
      cycle: cycleAt(aggregate, cyclePosition),
      items: items.get(planId)?.[cyclePosition] ?? [],
      order,
      at: tx.now,
    }
  }
  return ctx.db.transact(caller.businessId, read, { isSnapshot: true })
}

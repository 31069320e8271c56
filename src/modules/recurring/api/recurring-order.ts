import { customerErrors } from '#modules/customers'
import type { Caller } from '#platform/caller'
import type { Tx } from '#platform/postgres/database'
import { findCycleItems } from '../catalogue/catalogue.repository.ts'
import { errors } from './errors.ts'
import { loadPlans, orderOfPlan } from '../storage/plan-aggregate.repository.ts'
import type { RecurringDependencies } from '../dependencies.ts'
import { cycleAt } from '../plan/plan.ts'
import { discountAmount, renderConfig, renderItem, renderPlanOrder } from './render.ts'
import type { RecurringOrderRequest } from './schemas.ts'

/** @throws 404 for an unknown customer, or an order that no plan of this customer has made */
export async function recurringOrder(
  deps: RecurringDependencies,
  caller: Caller,
  request: RecurringOrderRequest,
): Promise<object> {
  const { customer_uuid: uuid, order } = request
  const read = async (tx: Tx): Promise<object> => {
    const [customers, tokens, orders, planOrder] = await Promise.all([
      deps.customers.findCustomers(tx, [uuid]),
      deps.customers.defaultTokens(tx, [uuid]),
      deps.payments.findOrders(tx, [order.number]),
      orderOfPlan(tx, order.number),
    ])
    const customer = customers.get(uuid)
    if (customer === undefined) throw customerErrors.customer_not_found({ param: 'customer_uuid' })
    const found = orders.get(order.number)
    if (found === undefined || planOrder === undefined || found.order.customerUuid !== uuid) {
      throw errors.recurring_order_not_found({ param: 'order.number' })
    }
    const { planId, cyclePosition } = planOrder
    const [plans, items] = await Promise.all([
      loadPlans(tx, { planIds: [planId] }),
      findCycleItems(tx, [planId]),
    ])
    const aggregate = plans.get(planId)
    if (aggregate === undefined) throw new Error(`plan ${planId} is gone`)
    const cycle = cycleAt(aggregate, cyclePosition)
    const token = tokens.get(uuid)
    return {
      customer: deps.customers.renderCustomer(customer, token, tx.now),
      recurring_cycle: {
        recurring_billing_config: renderConfig(cycle.config),
        recurring_items: (items.get(planId)?.[cyclePosition] ?? []).map(({ item }) => renderItem(item)),
        discount_amount: discountAmount(cycle.discount),
      },
      order: renderPlanOrder(aggregate.plan, found, token),
    }
  }
  return deps.db.transact(caller.businessId, read, { isSnapshot: true })
}

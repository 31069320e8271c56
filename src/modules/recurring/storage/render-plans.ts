import type { Instant } from '#kernel/clock'
import type { PaymentToken } from '#modules/customers'
import type { OrderWithTransactions } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import { findCycleItems } from '../catalogue/catalogue.repository.ts'
import type { CycleItem } from '../catalogue/catalogue.ts'
import type { RecurringDependencies } from '../dependencies.ts'
import type { PlanAggregate } from '../plan/plan.ts'
import { renderPlan } from '../api/render.ts'

/** Rows that the caller has at hand, so that they are not read again. Missing orders are read. */
export interface PreloadedRelations {
  readonly items: ReadonlyMap<string, readonly (readonly CycleItem[])[]>
  readonly tokens: ReadonlyMap<string, PaymentToken>
  readonly orders: ReadonlyMap<string, OrderWithTransactions>
}

export async function renderPlans(
  deps: RecurringDependencies,
  tx: Tx,
  plans: readonly PlanAggregate[],
  timeOf: (aggregate: PlanAggregate) => Instant,
  preloaded?: PreloadedRelations,
): Promise<Map<string, object>> {
  if (plans.length === 0) return new Map()
  const planIds = plans.map(({ plan }) => plan.id)
  const customerUuids = [...new Set(plans.map(({ plan }) => plan.customerUuid))]
  const orderIds = plans.flatMap(({ plan: { currentOrderId: id } }) =>
    id === null || preloaded?.orders.has(id) === true ? [] : [id],
  )
  const [items, customers, tokens, orders] = await Promise.all([
    preloaded?.items ?? findCycleItems(tx, planIds),
    deps.customers.findCustomers(tx, customerUuids),
    preloaded?.tokens ?? deps.customers.defaultTokens(tx, customerUuids),
    orderIds.length === 0 ? undefined : deps.payments.findOrders(tx, orderIds),
  ])
  const rendered = plans.map(async (aggregate): Promise<[string, object]> => {
    const { id, customerUuid, currentOrderId } = aggregate.plan
    const currentOrder =
      currentOrderId === null
        ? undefined
        : (preloaded?.orders.get(currentOrderId) ?? orders?.get(currentOrderId))
    const paymentLink =
      currentOrder && (await deps.payments.paymentLink(tx.businessId, currentOrder.order, timeOf(aggregate)))
    return [
      id,
      renderPlan(aggregate, {
        items: items.get(id) ?? [],
        customer: customers.get(customerUuid),
        defaultToken: tokens.get(customerUuid),
        currentOrder,
        paymentLink,
      }),
    ]
  })
  return new Map(await Promise.all(rendered))
}

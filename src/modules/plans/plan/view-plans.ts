import type { Instant } from '#kernel/clock'
import type { PaymentToken } from '#modules/customers'
import type { OrderWithTransactions } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { PlanView, PlansContext } from '../context.ts'
import type { CycleItem } from '#modules/catalogue'
import type { PlanAggregate } from '../model/plan.ts'
import { findCycleItems } from '../storage/cycle-item.repository.ts'

/** Rows that the caller has at hand, so that they are not read again. Missing orders are read. */
export interface PreloadedRelations {
  readonly items: ReadonlyMap<string, readonly (readonly CycleItem[])[]>
  readonly tokens: ReadonlyMap<string, PaymentToken>
  readonly orders: ReadonlyMap<string, OrderWithTransactions>
}

export async function viewPlans(
  ctx: PlansContext,
  tx: Tx,
  plans: readonly PlanAggregate[],
  timeOf: (aggregate: PlanAggregate) => Instant,
  preloaded?: PreloadedRelations,
): Promise<PlanView[]> {
  if (plans.length === 0) return []
  const planIds = plans.map(({ plan }) => plan.id)
  const customerUuids = [...new Set(plans.map(({ plan }) => plan.customerUuid))]
  const orderIds = plans.flatMap(({ plan: { currentOrderId: id } }) =>
    id === null || preloaded?.orders.has(id) === true ? [] : [id],
  )
  const [items, customers, tokens, orders] = await Promise.all([
    preloaded?.items ?? findCycleItems(tx, planIds),
    ctx.customers.findCustomers(tx, customerUuids),
    preloaded?.tokens ?? ctx.customers.defaultTokens(tx, customerUuids),
    orderIds.length === 0 ? undefined : ctx.payments.findOrders(tx, orderIds),
  ])
  const views = plans.map(async (aggregate): Promise<PlanView> => {
    const { id, customerUuid, currentOrderId } = aggregate.plan
    const currentOrder =
      currentOrderId === null
        ? undefined
        : (preloaded?.orders.get(currentOrderId) ?? orders?.get(currentOrderId))
    const paymentLink =
      currentOrder && (await ctx.payments.paymentLink(tx.businessId, currentOrder.order, timeOf(aggregate)))
    return {
      aggregate,
      items: items.get(id) ?? [],
      customer: customers.get(customerUuid),
      defaultToken: tokens.get(customerUuid),
      currentOrder,
      paymentLink,
    }
  })
  return Promise.all(views)
}

export async function viewPlan(
  ctx: PlansContext,
  tx: Tx,
  aggregate: PlanAggregate,
  at: Instant,
): Promise<PlanView> {
  const [view] = await viewPlans(ctx, tx, [aggregate], () => at)
  if (view === undefined) throw new Error(`plan ${aggregate.plan.id} has no view`)
  return view
}

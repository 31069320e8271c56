import { Money } from '#kernel/money'
import { dueTotal, type OrderWithTransactions } from '#modules/payments'
import {
  type BillingOrder,
  type ChangedPeriod,
  currentCycle,
  currentPeriod,
  netsOfLines,
  type OrderPeriod,
  type PaidPeriod,
  paidPeriodOf,
  type PlanAggregate,
  type PlanItems,
} from '#modules/plans'

export type OrdersById = ReadonlyMap<string, OrderWithTransactions>

export function billingOrderIds({ plan: { changedPeriod, currentOrderId } }: PlanAggregate): string[] {
  const ids = changedPeriod?.orders ?? []
  return [...new Set(currentOrderId === null ? ids : [...ids, currentOrderId])]
}

export function paidPeriod(
  currency: string,
  billed: ChangedPeriod | null,
  orders: OrdersById,
  periods: ReadonlyMap<string, OrderPeriod>,
): PaidPeriod {
  const paid = (billed?.orders ?? []).flatMap((id) => orders.get(id) ?? [])
  const given = paid.map(({ order: { id } }) => {
    return [id, Money.ofMinor(currency, periods.get(id)?.creditGiven ?? 0n)] as const
  })
  return paidPeriodOf(currency, paid, new Map(given))
}

export function openOrders(orders: OrdersById): Map<string, BillingOrder> {
  return new Map(
    [...orders].flatMap(([id, { order }]) => {
      if (order.state !== 'open') return []
      const isBusy = order.reservedTotal.isPositive() || order.voiding !== null
      return [[id, { due: dueTotal(order), isBusy }] as const]
    }),
  )
}

/** Null where the period was not billed. An order that was voided or refunded billed nothing. */
export function billedOfPeriod(
  aggregate: PlanAggregate,
  items: PlanItems,
  orders: OrdersById,
  periods: ReadonlyMap<string, OrderPeriod>,
): ChangedPeriod | null {
  const { changedPeriod, currentOrderId } = aggregate.plan
  const cycle = currentCycle(aggregate)
  const period = currentPeriod(aggregate, cycle)
  if (period === null) return null
  const isGone = (orderId: string) => ['voided', 'refunded'].includes(orders.get(orderId)?.order.state ?? '')
  if (changedPeriod?.start.equals(period.start) === true) {
    const parts = changedPeriod.parts.map((part) => {
      if (part?.orderId == null) return part
      if (isGone(part.orderId)) return null
      // The invoice of the order may have been issued again with other taxes.
      const taxedAs = orders.get(part.orderId)?.order.lineItems?.[part.line ?? -1]?.billed?.taxedAs
      return taxedAs === undefined ? part : { ...part, taxedAs }
    })
    return { ...changedPeriod, parts }
  }
  const order = orders.get(currentOrderId ?? '')?.order
  if (order === undefined || order.lineItems === null) return null
  const billed = periods.get(order.id)
  if (billed?.counted !== true || !billed.start.equals(period.start)) return null
  const nets = netsOfLines(order.lineItems, items[cycle.position]?.length ?? 0)
  return {
    start: period.start,
    pricedFrom: period.start,
    orders: [order.id],
    parts: nets.map((net, index) => {
      if (isGone(order.id)) return null
      const taxedAs = order.lineItems?.[index]?.billed?.taxedAs
      return {
        net,
        from: period.start,
        orderId: order.id,
        line: index,
        ...(taxedAs !== undefined && { taxedAs }),
      }
    }),
  }
}

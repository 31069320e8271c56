import type { Money } from '#kernel/money'
import { freeTotal, payerReference } from '#modules/payments'
import { type PlanView, sendsInvoices } from '#modules/plans'
import type { PortalContext } from '../context.ts'

/**
 * An order of a plan that waits for the customer.
 * - `amount`: Without what is being paid.
 * - `paymentLink`: Undefined if the order cannot be paid on its page now.
 */
export interface DueOrder {
  readonly planId: string
  readonly number: string
  readonly reference: string
  readonly amount: Money
  readonly paymentLink: string | undefined
}

/** The open orders whose payment failed, or that nothing is charged for by itself, oldest first. */
export function dueOrdersOf(
  ctx: PortalContext,
  businessId: string,
  plans: readonly PlanView[],
): Promise<readonly DueOrder[]> {
  const waiting = plans.flatMap(({ aggregate: { plan, orders } }) =>
    orders.filter(({ state, attempts }) => state === 'open' && (attempts > 0 || sendsInvoices(plan))),
  )
  if (waiting.length === 0) return Promise.resolve([])
  return ctx.db.transact(businessId, async (tx) => {
    const found = await ctx.payments.findOrders(
      tx,
      waiting.map(({ orderId }) => orderId),
    )
    const due = waiting.map(async ({ orderId, planId }): Promise<DueOrder | undefined> => {
      const order = found.get(orderId)?.order
      if (order === undefined || !freeTotal(order).isPositive()) return undefined
      const paymentLink = await ctx.payments.paymentLink(businessId, order, tx.now)
      const reference = payerReference(order)
      return { planId, number: order.id, reference, amount: freeTotal(order), paymentLink }
    })
    return (await Promise.all(due)).filter((one) => one !== undefined)
  })
}

export function renderDueOrder({ planId, number, reference, amount, paymentLink }: DueOrder) {
  return {
    plan_id: planId,
    order_number: number,
    reference_number: reference,
    amount,
    currency: amount.currency,
    ...(paymentLink !== undefined && { payment_link: paymentLink }),
  }
}

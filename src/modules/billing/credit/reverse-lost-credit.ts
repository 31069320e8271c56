import { timeOfChange } from '#kernel/clock'
import { leftOfOrder } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { BillingContext } from '../context.ts'
import { insertCredits, lockPlansOfOrders, savePlans, settleGivenCredit } from '#modules/plans'

/**
 * Takes back credit that gave back a payment that was lost in a dispute, once the payment knows what it lost. If the dispute is
 * won after all, the credit is given again.
 */
export async function reverseLostCredit(
  ctx: BillingContext,
  tx: Tx,
  { orderNumber: orderId }: { readonly orderNumber: string },
): Promise<void> {
  const locked = await ctx.payments.lockOrdersToCredit(tx, [orderId])
  const paid = locked.orders.get(orderId)
  if (paid === undefined || paid.order.type !== 'recurring') return
  const { planIdByOrder, plans } = await lockPlansOfOrders(tx, [orderId])
  const before = plans.get(planIdByOrder.get(orderId) ?? '')
  const planOrder = before?.orders.find((one) => one.orderId === orderId)
  if (before === undefined || planOrder === undefined) return
  const left = leftOfOrder(paid, undefined)
  const { aggregate: after, change } = settleGivenCredit(before, planOrder, left, { mayComeAgain: true })
  if (after === before) return
  const at = timeOfChange(before.plan, tx.now)
  const { referenceNumber: note } = paid.order
  const credits = change.isZero()
    ? []
    : [{ planId: before.plan.id, orderId, givenBy: null, amount: change, note, at }]
  tx.defer(insertCredits(tx, credits))
  await savePlans(ctx, tx, [{ before, after, at }])
}

import type { PlanAggregate } from '#modules/plans'
import type { Caller } from '#platform/caller'
import type { BillingContext } from '../context.ts'

class AwaitsPayment extends Error {
  readonly orderId: string

  constructor(orderId: string) {
    super(`a change waits for the payment of order ${orderId}`)
    this.orderId = orderId
  }
}

/** Call it under the plan's lock, inside of `voidingAwaited`. */
export function refuseAwaiting({ plan }: PlanAggregate): void {
  const payment = plan.pendingChange?.payment
  if (payment != null) throw new AwaitsPayment(payment.orderId)
}

/**
 * Runs `act`. If a change of its plan waits for a payment, the change's order is voided first, in a transaction of its own, because
 * orders are locked before their plans (reference/billing-changes#paid-first). If the order has just been paid, the change has
 * taken place.
 */
export async function voidingAwaited<Result>(
  ctx: BillingContext,
  { businessId }: Caller,
  act: (hasVoided: boolean) => Promise<Result>,
): Promise<Result> {
  let hasVoided = false
  for (;;) {
    try {
      return await act(hasVoided)
    } catch (error) {
      if (!(error instanceof AwaitsPayment)) throw error
      const { orderId } = error
      await ctx.db.transact(businessId, (tx) => ctx.payments.voidOrders(tx, [{ orderId, at: tx.now }]))
      hasVoided = true
    }
  }
}

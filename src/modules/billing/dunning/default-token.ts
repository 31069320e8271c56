import { timeOfChange } from '#kernel/clock'
import type { Tx } from '#platform/postgres/database'
import type { BillingContext } from '../context.ts'
import { findPlansWithPolicy, loadPlans, savePlans, tokenReplaced } from '#modules/plans'

/**
 * After another token became the customer's default, past-due orders are attempted by the policies of their plans
 * (reference/billing-dunning#new-token). Runs in the transaction that changes the default. A concurrent attempt holds the lock
 * of its plan. So either the attempt sees the new default, or this function sees the attempt's outcome.
 */
export async function retryWithDefaultToken(
  ctx: BillingContext,
  tx: Tx,
  customerUuid: string,
): Promise<void> {
  const planIds = await findPlansWithPolicy(tx, customerUuid)
  const plans = await loadPlans(tx, { planIds, lock: 'wait', bills: false })
  const changes = [...plans.values()].flatMap((before) => {
    const at = timeOfChange(before.plan, tx.now)
    const after = before.orders.reduce((plan, { orderId }) => tokenReplaced(plan, orderId, at), before)
    return after === before ? [] : [{ before, after, at }]
  })
  await savePlans(ctx, tx, changes)
}

import { type Instant, laterOf, timeOfChange } from '#kernel/clock'
import { Money } from '#kernel/money'
import type { Refused } from '#kernel/refusal'
import type { PlanCredit } from '#modules/invoices'
import type { Tx } from '#platform/postgres/database'
import {
  accepted,
  addCredit,
  addGivenCredit,
  insertCredits,
  lockPlansOfOrders,
  orderOverdue,
  type SavedPlan,
  requirePlan,
  savePlans,
} from '#modules/plans'
import type { BillingContext } from '../context.ts'

/** Begins the grace of orders whose invoices have become overdue. The orders are locked. */
export async function markOverdue(
  ctx: BillingContext,
  tx: Tx,
  orders: readonly { readonly orderId: string; readonly at: Instant }[],
): Promise<void> {
  const { planIdByOrder, plans } = await lockPlansOfOrders(
    tx,
    orders.map(({ orderId }) => orderId),
  )
  const changed = new Map<string, SavedPlan>()
  for (const { orderId, at: overdueAt } of orders) {
    const before = plans.get(planIdByOrder.get(orderId) ?? '')
    if (before === undefined) continue
    const earlier = changed.get(before.plan.id)
    const at = timeOfChange(before.plan, laterOf(overdueAt, earlier?.at ?? overdueAt))
    const after = orderOverdue(earlier?.after ?? before, orderId, at)
    changed.set(before.plan.id, { before, after, at })
  }
  await savePlans(ctx, tx, [...changed.values()])
}

interface MovedCredit extends PlanCredit {
  readonly customerUuid: string
}

/** Adds the overpayment of an order to a plan. Refuses a plan of another customer or currency. */
export async function addMovedCredit(
  ctx: BillingContext,
  tx: Tx,
  { planId, orderId, customerUuid, amount, note, at }: MovedCredit,
): Promise<Refused<'plan_mismatch'> | null> {
  const before = await requirePlan(tx, planId, { lock: 'wait', param: 'plan_id' })
  const { plan } = before
  if (plan.customerUuid !== customerUuid) return mismatch('another customer')
  if (plan.credit.currency !== amount.currency) return mismatch(`another currency, ${plan.credit.currency}`)
  const changedAt = timeOfChange(plan, at)
  const after = accepted(addCredit(before, amount))
  const row = { planId, orderId: null, givenBy: null, movedFrom: orderId, amount, note, at: changedAt }
  tx.defer(insertCredits(tx, [row]))
  await savePlans(ctx, tx, [{ before, after, at: changedAt }])
  return null
}

function mismatch(what: string): Refused<'plan_mismatch'> {
  return { refused: 'plan_mismatch', param: 'plan_id', message: `The plan has ${what} than the order.` }
}

export async function addPlanCredit(
  ctx: BillingContext,
  tx: Tx,
  { planId, orderId, amount, note, at }: PlanCredit,
): Promise<void> {
  const before = await requirePlan(tx, planId, { lock: 'wait' })
  const changedAt = timeOfChange(before.plan, at)
  const after = accepted(addCredit(before, amount))
  tx.defer(insertCredits(tx, [{ planId, orderId, givenBy: null, amount, note, at: changedAt }]))
  tx.defer(addGivenCredit(tx, [{ orderId, amount, taken: Money.zero(amount.currency) }]))
  await savePlans(ctx, tx, [{ before, after, at: changedAt }])
}

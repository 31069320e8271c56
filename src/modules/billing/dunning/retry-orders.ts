import type { Instant } from '#kernel/clock'
import { dueTotal } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import {
  type Attempt,
  type AttemptResult,
  initiateAttempts,
  type InitiatedCharges,
  initiatedCharges,
  tokenToSend,
  withAttempt,
} from './initiate-attempts.ts'
import { isStillDue, loadPlans, type PlanAggregate, savePlans } from '#modules/plans'
import { findDunningPolicies } from '#modules/catalogue'
import type { DuePlan } from '../storage/due-plan.repository.ts'
import { ConcurrentPlanChange } from '../concurrent-change.ts'
import type { BillingContext } from '../context.ts'
import { findRefusedTokens } from '../storage/refused-token.repository.ts'

const ORIGIN = { module: 'recurring', callbackUrls: new Map<string, string>() } as const

/**
 * Initiates the due attempts of open orders in the caller's transaction. Orders are always locked before their plans, so a
 * plan that was paused meanwhile is noticed only after its attempt was initiated: then the transaction fails.
 */
export async function retryOrders(
  ctx: BillingContext,
  tx: Tx,
  run: { readonly duePlans: readonly DuePlan[]; readonly timeOf: (dueAt: Instant) => Instant },
): Promise<InitiatedCharges> {
  const { attempts, refused } = await dueAttempts(ctx, tx, run)
  const results = await initiateAttempts(ctx.payments, tx, attempts, refused, ORIGIN)
  const plans = await loadPlans(tx, {
    planIds: run.duePlans.map(({ planId }) => planId),
    lock: 'wait',
    bills: false,
  })
  await refuseReplacedTokens(ctx, tx, [...plans.values()], results)
  const changes = run.duePlans.flatMap(({ planId, due }) => {
    const before = plans.get(planId)
    const { orderId } = due
    if (orderId === null) return []
    const result = results.get(orderId) ?? { kind: 'changed' }
    const at = run.timeOf(due.at)
    if (before !== undefined && isStillDue(before.plan, due)) {
      return [{ before, after: withAttempt(before, orderId, result, at), at }]
    }
    if (result.kind === 'initiated' || result.kind === 'failed') throw new ConcurrentPlanChange(planId)
    return []
  })
  await savePlans(ctx, tx, changes)
  return { plansChanged: changes.length, charges: initiatedCharges(results) }
}

async function dueAttempts(
  ctx: BillingContext,
  tx: Tx,
  { duePlans, timeOf }: Parameters<typeof retryOrders>[2],
) {
  const customerUuids = [...new Set(duePlans.map(({ customerUuid }) => customerUuid))]
  const orderIds = duePlans.flatMap(({ due }) => due.orderId ?? [])
  const policyIds = duePlans.flatMap(({ dunningPolicyId }) => dunningPolicyId ?? [])
  const [tokens, orders, policies] = await Promise.all([
    ctx.customers.defaultTokens(tx, customerUuids),
    ctx.payments.findOrders(tx, orderIds),
    findDunningPolicies(tx, policyIds),
  ])
  const attempts = duePlans.flatMap(({ customerUuid, dunningPolicyId, due }): Attempt[] => {
    const found = orders.get(due.orderId ?? '')
    if (found === undefined) return []
    const { order } = found
    return [
      {
        orderId: order.id,
        token: tokens.get(customerUuid),
        amount: dueTotal(order),
        at: timeOf(due.at),
        waitsForToken: policies.get(dunningPolicyId ?? '')?.hard === 'wait',
      },
    ]
  })
  return { attempts, refused: await findRefusedTokens(tx, tokens) }
}

/**
 * A default token that was set after the tokens were read, and before the plan was locked, found no order that waits for it
 * or failed without it. So it must be charged now.
 */
async function refuseReplacedTokens(
  ctx: BillingContext,
  tx: Tx,
  plans: readonly PlanAggregate[],
  results: ReadonlyMap<string, AttemptResult>,
): Promise<void> {
  const without = plans.filter(({ policy, orders }) => {
    const kinds = new Set(orders.map(({ orderId }) => results.get(orderId)?.kind))
    return policy !== null && (kinds.has('waits') || kinds.has('failed'))
  })
  if (without.length === 0) return
  const customerUuids = [...new Set(without.map(({ plan }) => plan.customerUuid))]
  const tokens = await ctx.customers.defaultTokens(tx, customerUuids)
  const refused = await findRefusedTokens(tx, tokens)
  const usable = without.find(
    ({ plan }) => tokenToSend(tokens.get(plan.customerUuid), refused, tx.now) !== undefined,
  )
  if (usable !== undefined) throw new ConcurrentPlanChange(usable.plan.id)
}

import type { Instant } from '#kernel/clock'
import { dueTotal } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import {
  type Attempt,
  type AttemptResult,
  initiateAttempts,
  type InitiatedCharges,
  initiatedCharges,
} from './initiate-attempts.ts'
import { attemptFailed, attemptInitiated, markBlocked } from './dunning.ts'
import type { DuePlan } from '../storage/due-plan.repository.ts'
import { loadPlans } from '../storage/plan-aggregate.repository.ts'
import type { RecurringContext } from '../context.ts'
import { isStillDue, type PlanAggregate } from '../model/plan.ts'
import { savePlans } from '../plan/save-plans.ts'
import { findRefusedTokens } from '../storage/refused-token.repository.ts'

/** A plan changed before it was locked. The transaction rolls back and the next search finds the plan again. */
export class ConcurrentPlanChange extends Error {}

const ORIGIN = { module: 'recurring', callbackUrls: new Map<string, string>() } as const

/**
 * Initiates the due attempts of open orders in the caller's transaction. Orders are always locked before their plans, so a
 * plan that was paused meanwhile is noticed only after its attempt was initiated: then the transaction fails.
 */
export async function retryOrders(
  ctx: RecurringContext,
  tx: Tx,
  run: { readonly duePlans: readonly DuePlan[]; readonly timeOf: (dueAt: Instant) => Instant },
): Promise<InitiatedCharges> {
  const { attempts, refused } = await dueAttempts(ctx, tx, run)
  const results = await initiateAttempts(ctx.payments, tx, attempts, refused, ORIGIN)
  const plans = await loadPlans(tx, { planIds: run.duePlans.map(({ planId }) => planId), lock: 'wait' })
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
  ctx: RecurringContext,
  tx: Tx,
  { duePlans, timeOf }: Parameters<typeof retryOrders>[2],
) {
  const customerUuids = [...new Set(duePlans.map(({ customerUuid }) => customerUuid))]
  const orderIds = duePlans.flatMap(({ due }) => due.orderId ?? [])
  const [tokens, orders] = await Promise.all([
    ctx.customers.defaultTokens(tx, customerUuids),
    ctx.payments.findOrders(tx, orderIds),
  ])
  const attempts = duePlans.flatMap(({ customerUuid, due }): Attempt[] => {
    const found = orders.get(due.orderId ?? '')
    if (found === undefined) return []
    const { order } = found
    return [
      {
        orderId: order.id,
        token: tokens.get(customerUuid),
        amount: dueTotal(order),
        at: timeOf(due.at),
      },
    ]
  })
  return { attempts, refused: await findRefusedTokens(tx, tokens) }
}

function withAttempt(
  aggregate: PlanAggregate,
  orderId: string,
  result: AttemptResult,
  at: Instant,
): PlanAggregate {
  switch (result.kind) {
    case 'initiated':
      return attemptInitiated(aggregate, orderId, result.charge.transaction.id, at)
    case 'failed':
      return attemptFailed(attemptInitiated(aggregate, orderId, result.transactionId, at), orderId, at)
    case 'blocked':
      return markBlocked(aggregate, orderId)
    case 'changed':
      throw new ConcurrentPlanChange(aggregate.plan.id)
  }
}

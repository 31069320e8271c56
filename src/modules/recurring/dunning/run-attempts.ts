import type { Instant } from '#kernel/clock'
import { unpaidTotal } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import { type Attempted, type BegunAttempt, beginAttempts, begunAttempts } from './attempt.ts'
import { attemptBegun, attemptFailed, madeToWait } from './dunning.ts'
import { type DuePlan, loadLives } from '../storage/life.repository.ts'
import type { RecurringDependencies } from '../dependencies.ts'
import { isStillDue, type Life } from '../plan/plan.ts'
import { findRefusedTokens } from '../storage/refused-token.repository.ts'
import { commitLives } from '../storage/tell.ts'

/** A plan was changed between the look at it and its lock: everything is undone and looked at again. */
export class PlanChangedMeanwhile extends Error {}

/**
 * Makes the attempts that are due, of orders that exist, in the caller's transaction. Orders are locked before their
 * plans, as everywhere; so a plan that was paused in between is found out after its attempt was begun, and ends it all.
 * @returns how many plans were at it, and the attempts to be sent to the acquirer after the commit
 */
export async function runAttempts(
  deps: RecurringDependencies,
  tx: Tx,
  run: { readonly plans: readonly DuePlan[]; readonly timeOf: (dueAt: Instant) => Instant },
): Promise<{ done: number; begun: BegunAttempt[] }> {
  const due = run.plans.flatMap(({ planId, customerUuid, due: found }) =>
    found.orderId === null
      ? []
      : [{ planId, customerUuid, orderId: found.orderId, found, at: run.timeOf(found.at) }],
  )
  const orderIds = due.map(({ orderId }) => orderId)
  const [tokens, orders] = await Promise.all([
    deps.customers.defaultTokens(tx, [...new Set(due.map(({ customerUuid }) => customerUuid))]),
    deps.payments.findOrders(tx, orderIds),
  ])
  const attempts = due.flatMap(({ orderId, customerUuid, at }) => {
    const found = orders.get(orderId)
    if (found === undefined) return []
    return [{ orderId, token: tokens.get(customerUuid), amount: unpaidTotal(found.order), at }]
  })
  const refused = await findRefusedTokens(tx, tokens)
  const attempted = await beginAttempts(deps.payments, tx, attempts, refused)
  const lives = await loadLives(tx, { planIds: due.map(({ planId }) => planId), lock: 'wait' })
  const changes = due.flatMap(({ planId, orderId, found, at }) => {
    const before = lives.get(planId)
    const result = attempted.get(orderId) ?? { kind: 'changed' }
    if (before !== undefined && isStillDue(before.plan, found)) {
      return [{ before, after: withAttempt(before, orderId, result, at), at }]
    }
    if (result.kind === 'begun' || result.kind === 'failed') throw new PlanChangedMeanwhile(planId)
    return []
  })
  const left = await commitLives(deps, tx, changes)
  return { done: changes.length, begun: begunAttempts(attempted, left) }
}

function withAttempt(life: Life, orderId: string, result: Attempted, at: Instant): Life {
  switch (result.kind) {
    case 'begun':
      return attemptBegun(life, orderId, result.transaction, at)
    case 'failed':
      return attemptFailed(attemptBegun(life, orderId, result.transaction, at), orderId, at)
    case 'blocked':
      return madeToWait(life, orderId)
    case 'changed':
      throw new PlanChangedMeanwhile(life.plan.id)
  }
}

import { leaseNow } from '#modules/acquirers'
import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext } from '../context.ts'
import { cancelPending, investigate } from './investigate.ts'
import type { UnderWay } from '../model/operation.ts'
import { claimOperations, releaseOperations } from '../storage/operation.repository.ts'
import { byIds } from '../storage/order-selector.ts'
import { findOrders } from '../storage/order.repository.ts'
import { recordAnswers } from '../charges/record-answers.ts'
import { isWaitingForPayer } from '../model/transaction.states.ts'

/** What a payer's page does about a payment that waits for the payer, before its due work comes to it. */

/** Asks the acquirer at once about what waits for the payer of this order. Nothing while somebody else is at it. */
export async function askNow(ctx: PaymentsContext, businessId: string, orderId: string): Promise<void> {
  const waiting = await ctx.db.transact(businessId, (tx) => claimWaiting(tx, orderId))
  for (const one of waiting) await settle(ctx, businessId, one, investigate)
}

/** Takes back a payment that waits for its payer. It may have been confirmed a moment ago: then it stands. */
export async function takeBack(
  ctx: PaymentsContext,
  businessId: string,
  orderId: string,
  transactionId: string,
): Promise<void> {
  const waiting = await ctx.db.transact(businessId, (tx) => claimWaiting(tx, orderId, transactionId))
  for (const one of waiting) await settle(ctx, businessId, one, cancelPending)
}

async function claimWaiting(tx: Tx, orderId: string, transactionId?: string): Promise<UnderWay[]> {
  const [found] = await findOrders(tx, byIds([orderId]))
  const waiting = (found?.transactions ?? []).filter(
    ({ id, state }) => isWaitingForPayer(state) && (transactionId ?? id) === id,
  )
  if (waiting.length === 0) return []
  const operations = await claimOperations(
    tx,
    waiting.map(({ id }) => id),
    leaseNow(),
  )
  return operations.flatMap((operation) => {
    const transaction = waiting.find(({ id }) => id === operation.transactionId)
    return transaction === undefined ? [] : [{ operation, transaction, at: tx.now }]
  })
}

async function settle(
  ctx: PaymentsContext,
  businessId: string,
  waiting: UnderWay,
  ask: typeof investigate | typeof cancelPending,
): Promise<void> {
  const { operation, at } = waiting
  try {
    const answer = await ask(ctx, businessId, waiting)
    await ctx.db.transact(businessId, (tx) => recordAnswers(ctx, tx, [{ operation, answer, at }]))
  } catch (error) {
    await ctx.db.transact(businessId, (tx) => releaseOperations(tx, [operation.key]))
    throw error
  }
}

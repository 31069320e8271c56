import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext } from '../context.ts'
import { leaseNow, type Lookup } from '#modules/acquirers'
import type { AcquirerResult } from '../outcomes/acquirer-result.ts'
import { cancelAtAcquirer, determineResult } from '../operations/determine-result.ts'
import type { LeasedOperation } from '../model/operation.ts'
import type { Transaction } from '../model/transaction.ts'
import { isWaitingForPayer } from '../model/transaction.states.ts'
import { recordResults } from '../operations/record-results.ts'
import { sealReturned } from '../operations/returned.ts'
import { claimOperations, keepReturned, releaseOperations } from '../storage/operation.repository.ts'
import { findOrders } from '../storage/order-read.repository.ts'
import { byIds } from '../storage/order-selector.ts'

/**
 * Asks the acquirer at once about payments of this order that wait for the payer. Skips those that somebody else leases.
 * What the payer brings back is stored first, so that it is sent again if this request is lost (reference/acquirers#adyen).
 * @returns whether none was skipped
 */
export async function refreshStatus(
  ctx: PaymentsContext,
  businessId: string,
  orderId: string,
  returned: Lookup['returned'] = {},
): Promise<boolean> {
  const { claimed, skipped } = await ctx.db.transact(businessId, async (tx) => {
    const waiting = await findWaiting(tx, orderId)
    if (Object.keys(returned).length > 0) await keep(ctx, tx, waiting, returned)
    return claimWaiting(tx, waiting)
  })
  for (const leased of claimed) {
    await determineAndRecord(ctx, businessId, leased, (open) => determineResult(ctx, businessId, open))
  }
  return skipped === 0
}

export async function cancelPending(
  ctx: PaymentsContext,
  businessId: string,
  orderId: string,
  transactionId: string,
): Promise<void> {
  const { claimed } = await ctx.db.transact(businessId, async (tx) =>
    claimWaiting(tx, await findWaiting(tx, orderId, transactionId)),
  )
  for (const leased of claimed) {
    await determineAndRecord(ctx, businessId, leased, (open) => cancelAtAcquirer(ctx, businessId, open))
  }
}

async function findWaiting(tx: Tx, orderId: string, transactionId?: string): Promise<Transaction[]> {
  const [order] = await findOrders(tx, byIds([orderId]))
  return (order?.transactions ?? []).filter(
    ({ id, state }) => isWaitingForPayer(state) && (transactionId ?? id) === id,
  )
}

async function keep(
  ctx: PaymentsContext,
  tx: Tx,
  waiting: readonly Transaction[],
  returned: Lookup['returned'],
): Promise<void> {
  const sealed = waiting.map(({ id: key }) => ({
    key,
    sealed: sealReturned(ctx, tx.businessId, key, returned),
  }))
  if (sealed.length > 0) await keepReturned(tx, sealed)
}

async function claimWaiting(
  tx: Tx,
  waiting: readonly Transaction[],
): Promise<{ readonly claimed: readonly LeasedOperation[]; readonly skipped: number }> {
  if (waiting.length === 0) return { claimed: [], skipped: 0 }
  const operations = await claimOperations(
    tx,
    waiting.map(({ id }) => id),
    leaseNow(),
  )
  const claimed = operations.flatMap((operation) => {
    const transaction = waiting.find(({ id }) => id === operation.transactionId)
    return transaction === undefined ? [] : [{ operation, transaction, at: tx.now }]
  })
  return { claimed, skipped: waiting.length - claimed.length }
}

async function determineAndRecord(
  ctx: PaymentsContext,
  businessId: string,
  leased: LeasedOperation,
  determine: (leased: LeasedOperation) => Promise<AcquirerResult>,
): Promise<void> {
  const { operation, at } = leased
  try {
    const acquirerResult = await determine(leased)
    await ctx.db.transact(businessId, (tx) => recordResults(ctx, tx, [{ operation, acquirerResult, at }]))
  } catch (error) {
    await ctx.db.transact(businessId, (tx) => releaseOperations(tx, [operation]))
    throw error
  }
}

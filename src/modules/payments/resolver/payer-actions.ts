import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext } from '../context.ts'
import type { Lookup } from '#modules/acquirers'
import type { AcquirerResult } from '../operations/apply-result.ts'
import { cancelAtAcquirer, determineResult } from './determine-result.ts'
import { newLease } from '../model/lease.ts'
import type { LeasedOperation } from '../model/operation.ts'
import { isWaitingForPayer } from '../model/transaction.states.ts'
import { recordResults } from '../operations/record-results.ts'
import { claimOperations, releaseOperations } from '../storage/operation.repository.ts'
import { findOrders } from '../storage/order.repository.ts'
import { byIds } from '../storage/order-selector.ts'

/**
 * Asks the acquirer at once about payments of this order that wait for the payer. Skips those that somebody else leases.
 * @returns whether none was skipped
 */
export async function refreshStatus(
  ctx: PaymentsContext,
  businessId: string,
  orderId: string,
  returned: Lookup['returned'] = {},
): Promise<boolean> {
  const { claimed, skipped } = await ctx.db.transact(businessId, (tx) => claimWaiting(tx, orderId))
  for (const leased of claimed) {
    await determineAndRecord(ctx, businessId, leased, (open) =>
      determineResult(ctx, businessId, open, returned),
    )
  }
  return skipped === 0
}

export async function cancelPending(
  ctx: PaymentsContext,
  businessId: string,
  orderId: string,
  transactionId: string,
): Promise<void> {
  const { claimed } = await ctx.db.transact(businessId, (tx) => claimWaiting(tx, orderId, transactionId))
  for (const leased of claimed) {
    await determineAndRecord(ctx, businessId, leased, (open) => cancelAtAcquirer(ctx, businessId, open))
  }
}

async function claimWaiting(
  tx: Tx,
  orderId: string,
  transactionId?: string,
): Promise<{ readonly claimed: readonly LeasedOperation[]; readonly skipped: number }> {
  const [order] = await findOrders(tx, byIds([orderId]))
  const waiting = (order?.transactions ?? []).filter(
    ({ id, state }) => isWaitingForPayer(state) && (transactionId ?? id) === id,
  )
  if (waiting.length === 0) return { claimed: [], skipped: 0 }
  const operations = await claimOperations(
    tx,
    waiting.map(({ id }) => id),
    newLease(),
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

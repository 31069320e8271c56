import { leaseNow } from '#modules/acquirers'
import { claimDue, recordEach } from '#platform/jobs/leases'
import type { Job, JobRun } from '#platform/jobs/jobs'
import type { PaymentsContext } from '../context.ts'
import { determineResult } from '../operations/determine-result.ts'
import { PAYMENT_OPERATIONS } from '../job-names.ts'
import type { LeasedOperation } from '../model/operation.ts'
import { type OperationResult, recordResults } from '../operations/record-results.ts'
import {
  claimDueOperations,
  earliestOperation,
  OPERATIONS,
  releaseOperations,
} from '../storage/operation.repository.ts'
import { findTransactions } from '../storage/transaction.repository.ts'

/** Four runs at a time ask about 64 (docs/decisions/bounded-inquiries). */
export const BATCH = 16

/**
 * Finds the outcome of operations that the acquirer did not answer, that wait for a payer, or whose process died, and sends
 * queued ones. Only it, a notice or a person takes a transaction out of `unknown`.
 */
export function operationResolver(ctx: PaymentsContext): Job {
  return {
    name: PAYMENT_OPERATIONS,
    clock: 'business',
    callsAcquirer: true,
    waitsForOutcomes: true,
    nextRunAt: earliestOperation,
    run: async (run) => {
      const claimed = await claim(ctx, run)
      if (claimed.length === 0) return 0
      await resolve(ctx, run, claimed)
      return claimed.length
    },
  }
}

async function resolve(
  ctx: PaymentsContext,
  run: JobRun,
  claimed: readonly LeasedOperation[],
): Promise<void> {
  const { businessId } = run
  const determined = await Promise.allSettled(claimed.map((leased) => determine(ctx, run, leased)))
  const results = determined.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const failures = determined.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []))
  failures.push(
    ...(await recordEach(results, async (some) => {
      await ctx.db.transact(businessId, (tx) => recordResults(ctx, tx, some))
    })),
  )
  if (failures.length === 0) return
  // Operations that were recorded have no lease any more.
  const operations = claimed.map(({ operation }) => operation)
  await ctx.db.transact(businessId, (tx) => releaseOperations(tx, operations))
  throw failures[0]
}

async function determine(
  ctx: PaymentsContext,
  { businessId, quietUntil }: JobRun,
  leased: LeasedOperation,
): Promise<OperationResult> {
  const { operation, at } = leased
  return { operation, acquirerResult: await determineResult(ctx, businessId, leased), at, quietUntil }
}

function claim(ctx: PaymentsContext, run: JobRun): Promise<LeasedOperation[]> {
  return claimDue(ctx.db, run, OPERATIONS, async (tx) => {
    const operations = await claimDueOperations(tx, { until: run.until, limit: BATCH, lease: leaseNow() })
    if (operations.length === 0) return []
    const transactions = await findTransactions(
      tx,
      operations.map((operation) => operation.transactionId),
    )
    return operations.flatMap((operation) => {
      const transaction = transactions.get(operation.transactionId)
      if (transaction === undefined) return []
      return [{ operation, transaction, at: run.timeOf(operation.dueAt) }]
    })
  })
}

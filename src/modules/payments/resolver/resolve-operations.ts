import { realClock } from '#kernel/clock'
import { leaseNow } from '#modules/acquirers'
import { claimDue } from '#platform/jobs/claim'
import type { JobRun, Job } from '#platform/jobs/jobs'
import type { PaymentsContext } from '../context.ts'
import { PAYMENT_OPERATIONS } from '../job-kinds.ts'
import { investigate } from './investigate.ts'
import type { UnderWay } from '../model/operation.ts'
import {
  claimDueOperations,
  earliestOperation,
  hasLeasedDue,
  releaseOperations,
} from '../storage/operation.repository.ts'
import { type KnownAnswer, recordAnswers } from '../charges/record-answers.ts'
import { findTransactions } from '../storage/transaction.repository.ts'

/** Operations of one run, all asked about at the same time. */
const BATCH = 16

/**
 * The resolver: finds out what became of operations whose outcome is open, because the acquirer did not answer, a payer has
 * to confirm, or a process died; and sends what was queued. Only it leaves `unknown`.
 */
export function operationResolver(ctx: PaymentsContext): Job {
  return {
    name: PAYMENT_OPERATIONS,
    clock: 'business',
    callsAcquirer: true,
    nextRunAt: earliestOperation,
    run: async (run) => {
      const claimed = await claim(ctx, run)
      if (claimed.length === 0) return 0
      await resolve(ctx, run, claimed)
      return claimed.length
    },
  }
}

/** What cannot be found out or recorded is given back, and does not keep the others of the batch from it. */
async function resolve(ctx: PaymentsContext, run: JobRun, claimed: readonly UnderWay[]): Promise<void> {
  const { businessId } = run
  const asked = await Promise.allSettled(claimed.map((one) => ask(ctx, businessId, one)))
  const known = asked.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  const failures = asked.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  const recorded = new Set<string>()
  const record = async (answers: readonly KnownAnswer[]): Promise<void> => {
    await ctx.db.transact(businessId, (tx) => recordAnswers(ctx, tx, answers))
    for (const { operation } of answers) recorded.add(operation.key)
  }
  await record(known).catch(async () => {
    for (const answer of known) await record([answer]).catch((error: unknown) => failures.push(error))
  })
  if (failures.length === 0) return
  const left = claimed.map((one) => one.operation.key).filter((key) => !recorded.has(key))
  await ctx.db.transact(businessId, (tx) => releaseOperations(tx, left))
  throw failures[0]
}

async function ask(ctx: PaymentsContext, businessId: string, claimed: UnderWay): Promise<KnownAnswer> {
  const { operation, at } = claimed
  return { operation, answer: await investigate(ctx, businessId, claimed), at }
}

function claim(ctx: PaymentsContext, run: JobRun): Promise<UnderWay[]> {
  return claimDue(ctx.db, run, {
    claim: async (tx) => {
      const operations = await claimDueOperations(tx, { until: run.until, limit: BATCH, ...leaseNow() })
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
    },
    hasLeased: (tx) => hasLeasedDue(tx, run.until, realClock.now()),
  })
}

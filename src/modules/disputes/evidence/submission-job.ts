import sql from 'sql-template-tag'
import { isBefore, realClock } from '#kernel/clock'
import type { AcquirerDisputes, Evidence } from '#modules/acquirers'
import type { Job } from '#platform/jobs/jobs'
import { newLease } from '#platform/jobs/leases'
import { whileRenewing } from '#platform/jobs/renewals'
import { earliestTime } from '#platform/postgres/earliest-time'
import { type DisputesContext, leaseMsOf } from '../context.ts'
import { SUBMISSIONS } from '../job-names.ts'
import { isAwaitingResponse } from '../model/dispute.ts'
import { findDispute } from '../storage/dispute.repository.ts'
import { evidenceToSubmit } from '../storage/evidence.repository.ts'
import { claimDueSubmission, renewalOfSubmission, type Submission } from '../storage/submission.repository.ts'
import { recordSubmission, type SubmissionReply } from './record-submission.ts'

export function submissionJob(ctx: DisputesContext): Job {
  return {
    name: SUBMISSIONS,
    clock: 'real',
    callsAcquirer: true,
    nextRunAt: (tx) => earliestTime(tx, sql`dispute_submissions`, sql`due_at`),
    run: async ({ businessId, until }) => {
      const leaseMs = leaseMsOf(ctx)
      const claimed = await ctx.db.transact(businessId, (tx) =>
        claimDueSubmission(tx, until, newLease(leaseMs)),
      )
      if (claimed === undefined) return 0
      const renewal = renewalOfSubmission(ctx.db, businessId, claimed, leaseMs)
      await whileRenewing(renewal, () => resolve(ctx, businessId, claimed))
      return 1
    },
  }
}

async function resolve(ctx: DisputesContext, businessId: string, submission: Submission): Promise<void> {
  const { dispute, evidence } = await ctx.db.transact(businessId, async (tx) => ({
    dispute: await findDispute(tx, submission.disputeId),
    evidence: await evidenceToSubmit(tx, submission.disputeId),
  }))
  if (dispute === undefined) throw new Error(`dispute ${submission.disputeId} of a submission does not exist`)
  const current = { ...submission, revision: dispute.revision }
  const record = (reply: SubmissionReply) =>
    ctx.db.transact(businessId, (tx) => recordSubmission(ctx, tx, current, reply))
  try {
    const disputes = await ctx.acquirers.disputesOf(businessId, dispute.accountId)
    await record(await askOrSubmit(disputes, dispute.reference, evidence, submission.key))
  } catch (error) {
    await record({ kind: 'unavailable', message: 'the account could not be used' })
    throw error
  }
}

async function askOrSubmit(
  disputes: AcquirerDisputes,
  reference: string,
  evidence: Evidence,
  key: string,
): Promise<SubmissionReply> {
  const asked = await disputes.get(reference)
  if (asked.kind === 'refused') return { kind: 'unavailable', message: asked.message }
  if (asked.kind !== 'ok' || asked.value.isSubmitted) return asked
  const { state, respondBy } = asked.value
  const isLate = respondBy !== null && !isBefore(realClock.now(), respondBy)
  if (!isAwaitingResponse(state) || isLate) {
    return { kind: 'refused', message: 'The dispute no longer accepts evidence.' }
  }
  return disputes.submit(reference, evidence, key)
}

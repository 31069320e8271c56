import { newId } from '#kernel/ids'
import type { Evidence } from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import { claimIdempotencyKey } from '#platform/idempotency/idempotency'
import { newLease } from '#platform/jobs/leases'
import { whileRenewing } from '#platform/jobs/renewals'
import { errors } from '../errors.ts'
import { type DisputesContext, type DisputeView, leaseMsOf } from '../context.ts'
import type { StoredDispute } from '../storage/dispute.repository.ts'
import { evidenceToSubmit } from '../storage/evidence.repository.ts'
import { renewalOfSubmission, saveSubmission, type Submission } from '../storage/submission.repository.ts'
import { disputesAt } from './disputes-at.ts'
import { lockOpenDispute } from './edit-evidence.ts'
import { recordForCaller } from './record-submission.ts'

export async function submitEvidence(ctx: DisputesContext, caller: Caller, id: string): Promise<DisputeView> {
  const acquirer = await disputesAt(ctx, caller.businessId, id)
  const { dispute, evidence, submission } = await initiate(ctx, caller, id)
  // The upload of several files may take longer than a lease.
  const renewal = renewalOfSubmission(ctx.db, caller.businessId, submission, leaseMsOf(ctx))
  const reply = await whileRenewing(renewal, () =>
    acquirer.submit(dispute.reference, evidence, submission.key),
  )
  return recordForCaller(ctx, caller.businessId, submission, reply)
}

interface Initiated {
  readonly dispute: StoredDispute
  readonly evidence: Evidence
  readonly submission: Submission
}

function initiate(ctx: DisputesContext, caller: Caller, id: string): Promise<Initiated> {
  return ctx.db.transact(caller.businessId, async (tx) => {
    const idempotencyId = await claimIdempotencyKey(tx, caller)
    const dispute = await lockOpenDispute(tx, id)
    const evidence = await evidenceToSubmit(tx, id)
    if (Object.keys({ ...evidence.texts, ...evidence.files }).length === 0) throw errors.evidence_missing()
    const lease = newLease(leaseMsOf(ctx))
    const submission: Submission = {
      disputeId: id,
      key: newId('dsb'),
      status: 'sent',
      revision: dispute.revision,
      inquiries: 0,
      idempotencyId,
      requestId: caller.requestId,
      dueAt: lease.until,
      leasedUntil: lease.until,
      leaseId: lease.id,
    }
    await saveSubmission(tx, submission)
    return { dispute, evidence, submission }
  })
}

import { realClock } from '#kernel/clock'
import { errorOf, throwIfRefused } from '#kernel/errors'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import type { DisputesContext, DisputeView } from '../context.ts'
import { withEvidence } from '../read-disputes.ts'
import { lockDispute, type StoredDispute } from '../storage/dispute.repository.ts'
import { evidenceOf, removeEvidence, saveEvidence } from '../storage/evidence.repository.ts'
import { findSubmission } from '../storage/submission.repository.ts'
import { decideEvidence, refuseClosed } from './decide-evidence.ts'
import { disputesAt } from './disputes-at.ts'
import type { EvidenceRequest } from '../model/evidence-request.ts'

export async function editEvidence(
  ctx: DisputesContext,
  caller: Caller,
  id: string,
  request: EvidenceRequest,
): Promise<DisputeView> {
  const acquirer = await disputesAt(ctx, caller.businessId, id)
  return once(ctx.db, caller, async (tx) => {
    const dispute = await lockOpenDispute(tx, id)
    const staged = await evidenceOf(tx, [id])
    const edit = decideEvidence(request, acquirer, staged.get(id) ?? [])
    if ('refused' in edit) throw errorOf(errors, edit)
    await Promise.all([removeEvidence(tx, id, edit.removed), saveEvidence(tx, id, edit.saved)])
    return withEvidence(tx, dispute)
  })
}

export async function lockOpenDispute(tx: Tx, id: string): Promise<StoredDispute> {
  const dispute = await lockDispute(tx, id)
  if (dispute === undefined) throw errors.dispute_not_found()
  throwIfRefused(errors, refuseClosed(dispute, realClock.now()))
  if ((await findSubmission(tx, id)) !== undefined) throw errors.submission_in_progress()
  return dispute
}

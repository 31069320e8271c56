import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import type { DisputesContext, DisputeView } from '../context.ts'
import { withEvidence } from '../read-disputes.ts'
import { lockDispute, type StoredDispute } from '../storage/dispute.repository.ts'
import { evidenceOf, removeEvidence, saveEvidence } from '../storage/evidence.repository.ts'
import { findSubmission } from '../storage/submission.repository.ts'
import { readEvidence, requireOpen, requireRoom } from './decide-evidence.ts'
import { disputesAt } from './disputes-at.ts'
import type { EvidenceRequest } from '../model/evidence.ts'

export async function editEvidence(
  ctx: DisputesContext,
  caller: Caller,
  id: string,
  request: EvidenceRequest,
): Promise<DisputeView> {
  const acquirer = await disputesAt(ctx, caller.businessId, id)
  return once(ctx.db, caller, async (tx) => {
    const dispute = await lockOpenDispute(tx, id)
    const edit = readEvidence(request, acquirer)
    const staged = await evidenceOf(tx, [id])
    requireRoom(staged.get(id) ?? [], edit)
    await Promise.all([removeEvidence(tx, id, edit.removed), saveEvidence(tx, id, edit.saved)])
    return withEvidence(tx, dispute)
  })
}

export async function lockOpenDispute(tx: Tx, id: string): Promise<StoredDispute> {
  const dispute = await lockDispute(tx, id)
  if (dispute === undefined) throw errors.dispute_not_found()
  requireOpen(dispute, realClock.now())
  if ((await findSubmission(tx, id)) !== undefined) throw errors.submission_in_progress()
  return dispute
}

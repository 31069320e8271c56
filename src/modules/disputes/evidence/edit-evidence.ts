import { realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { once } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../api/errors.ts'
import { renderDispute } from '../api/render.ts'
import type { EvidenceRequest } from '../api/schemas.ts'
import type { DisputesDependencies } from '../dependencies.ts'
import { lockDispute, type StoredDispute } from '../storage/dispute.repository.ts'
import { evidenceOf, removeEvidence, saveEvidence } from '../storage/evidence.repository.ts'
import { findSubmission } from '../storage/submission.repository.ts'
import { readEvidence, requireOpen, requireRoom } from './decide-evidence.ts'
import { disputesAt } from './disputes-at.ts'

export async function editEvidence(
  deps: DisputesDependencies,
  caller: Caller,
  id: string,
  request: EvidenceRequest,
): Promise<{ dispute: object }> {
  const acquirer = await disputesAt(deps, caller.businessId, id)
  return once(deps.db, caller, async (tx) => {
    const dispute = await lockOpenDispute(tx, id)
    const edit = readEvidence(request, acquirer)
    const staged = await evidenceOf(tx, [id])
    requireRoom(staged.get(id) ?? [], edit)
    await Promise.all([removeEvidence(tx, id, edit.removed), saveEvidence(tx, id, edit.saved)])
    const evidence = await evidenceOf(tx, [id])
    return { dispute: renderDispute(dispute, evidence.get(id) ?? []) }
  })
}

export async function lockOpenDispute(tx: Tx, id: string): Promise<StoredDispute> {
  const dispute = await lockDispute(tx, id)
  if (dispute === undefined) throw errors.dispute_not_found()
  requireOpen(dispute, realClock.now())
  if ((await findSubmission(tx, id)) !== undefined) throw errors.submission_in_progress()
  return dispute
}

import { realClock } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import { nextInquiryAt } from '#kernel/inquiry-times'
import type { AcquirerReply, DisputeRecord } from '#modules/acquirers'
import { errorEnvelope, successEnvelope } from '#platform/envelope'
import { storeReply } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../api/errors.ts'
import { renderDispute } from '../api/render.ts'
import type { DisputesDependencies } from '../dependencies.ts'
import { disputeEvents } from '../events.ts'
import { applyRecord, type DisputeChange } from '../model/apply-record.ts'
import type { Dispute } from '../model/dispute.ts'
import { scheduleRefresh } from '../storage/refresh.repository.ts'
import { lockDispute, type StoredDispute, updateDispute } from '../storage/dispute.repository.ts'
import { evidenceOf } from '../storage/evidence.repository.ts'
import {
  deleteSubmission,
  findSubmission,
  saveSubmission,
  type Submission,
} from '../storage/submission.repository.ts'

export type SubmissionReply = AcquirerReply<DisputeRecord>

export async function recordForCaller(
  deps: DisputesDependencies,
  businessId: string,
  submission: Submission,
  reply: SubmissionReply,
): Promise<{ dispute: object }> {
  const answered = await deps.db
    .transact(businessId, (tx) => recordSubmission(deps, tx, submission, reply))
    .catch((cause: unknown) => errors.submission_unknown({ cause }))
  if (answered instanceof RequestError) throw answered
  return answered
}

export async function recordSubmission(
  deps: DisputesDependencies,
  tx: Tx,
  submission: Submission,
  reply: SubmissionReply,
): Promise<{ dispute: object } | RequestError> {
  const dispute = await lockDispute(tx, submission.disputeId)
  if (dispute === undefined) throw new Error(`dispute ${submission.disputeId} of a submission does not exist`)
  const held = await findSubmission(tx, dispute.id)
  const answer = async (error: typeof errors.submission_unknown | null, after: Dispute, message?: string) => {
    const evidence = await evidenceOf(tx, [after.id])
    const data = { dispute: renderDispute(after, evidence.get(after.id) ?? []) }
    return error === null ? data : error({ data, ...(message !== undefined && { message }) })
  }
  if (held?.leaseId !== submission.leaseId) {
    return answer(dispute.submittedAt === null ? errors.submission_unknown : null, dispute)
  }
  if (reply.kind === 'unavailable') {
    await postpone(tx, held)
    return keep(tx, held, await answer(errors.submission_unknown, dispute))
  }
  await deleteSubmission(tx, dispute.id)
  if (reply.kind === 'ok') {
    const after = await recordSubmitted(deps, tx, dispute, reply.value, submission)
    return keep(tx, held, await answer(null, after))
  }
  const message = reply.kind === 'refused' ? `The acquirer refused the evidence: ${reply.message}` : undefined
  return keep(tx, held, await answer(errors.evidence_refused, dispute, message))
}

async function postpone(tx: Tx, held: Submission): Promise<void> {
  await saveSubmission(tx, {
    ...held,
    status: 'unknown',
    inquiries: held.inquiries + 1,
    dueAt: nextInquiryAt(held.inquiries, realClock.now()),
    leasedUntil: null,
    leaseId: null,
  })
}

/**
 * A notice may have brought a later state than the answer to the submission says. Then only the submission is recorded, and the
 * acquirer is asked again.
 */
async function recordSubmitted(
  deps: DisputesDependencies,
  tx: Tx,
  dispute: StoredDispute,
  record: DisputeRecord,
  { revision }: Submission,
): Promise<Dispute> {
  const submitted = { ...record, isSubmitted: true }
  const isOutdated = dispute.revision !== revision
  const { state, amount, reason, respondBy } = dispute
  const known = isOutdated ? { ...submitted, state, amount, reason, respondBy } : submitted
  if (isOutdated) await scheduleRefresh(tx, dispute.accountId, dispute.reference)
  const change = applyRecord(dispute, known, null, realClock.now())
  await saveChange(deps, tx, change)
  return change.dispute
}

export async function saveChange(
  deps: DisputesDependencies,
  tx: Tx,
  { dispute, events }: DisputeChange,
): Promise<void> {
  if (events.length === 0) return
  await updateDispute(tx, dispute)
  const evidence = await evidenceOf(tx, [dispute.id])
  await deps.events.append(tx, disputeEvents(tx, events, dispute, evidence.get(dispute.id) ?? []))
}

async function keep<Answer extends { dispute: object } | RequestError>(
  tx: Tx,
  { idempotencyId, requestId }: Submission,
  answer: Answer,
): Promise<Answer> {
  const isError = answer instanceof RequestError
  const envelope = isError ? errorEnvelope(answer, requestId ?? '') : successEnvelope(answer)
  await storeReply(tx, idempotencyId, isError ? answer.status : 200, envelope)
  return answer
}

import { realClock } from '#kernel/clock'
import { RequestError } from '#kernel/errors'
import { nextInquiryAt } from '#kernel/inquiry-times'
import type { Money } from '#kernel/money'
import type { AcquirerReply, DisputeRecord, DisputeState } from '#modules/acquirers'
import { errorEnvelope, successEnvelope } from '#platform/envelope'
import { storeReply } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import type { DisputesContext, DisputeView } from '../context.ts'
import { disputeEvents } from '../dispute-events.ts'
import { applyRecord, type DisputeChange } from '../model/apply-record.ts'
import { type Dispute, HOLDING_STATES } from '../model/dispute.ts'
import { withEvidence } from '../read-disputes.ts'
import { scheduleRefresh } from '../storage/refresh.repository.ts'
import { lockDispute, type StoredDispute, updateDispute } from '../storage/dispute.repository.ts'
import {
  deleteSubmission,
  findSubmission,
  saveSubmission,
  type Submission,
} from '../storage/submission.repository.ts'

export type SubmissionReply = AcquirerReply<DisputeRecord>

export async function recordForCaller(
  ctx: DisputesContext,
  businessId: string,
  submission: Submission,
  reply: SubmissionReply,
): Promise<DisputeView> {
  const recorded = await ctx.db
    .transact(businessId, (tx) => recordSubmission(ctx, tx, submission, reply))
    .catch((cause: unknown) => errors.submission_unknown({ cause }))
  if (recorded instanceof RequestError) throw recorded
  return recorded
}

export async function recordSubmission(
  ctx: DisputesContext,
  tx: Tx,
  submission: Submission,
  reply: SubmissionReply,
): Promise<DisputeView | RequestError> {
  const dispute = await lockDispute(tx, submission.disputeId)
  if (dispute === undefined) throw new Error(`dispute ${submission.disputeId} of a submission does not exist`)
  const held = await findSubmission(tx, dispute.id)
  const dataOf = async (shown: Dispute) => ctx.present.dispute(await withEvidence(tx, shown))
  if (held?.leaseId !== submission.leaseId) {
    if (dispute.submittedAt !== null) return withEvidence(tx, dispute)
    return errors.submission_unknown({ data: await dataOf(dispute) })
  }
  if (reply.kind === 'unavailable') {
    await postpone(tx, held)
    return keep(ctx, tx, held, errors.submission_unknown({ data: await dataOf(dispute) }))
  }
  await deleteSubmission(tx, dispute.id)
  if (reply.kind === 'ok') {
    const after = await recordSubmitted(ctx, tx, dispute, reply.value, submission)
    return keep(ctx, tx, held, await withEvidence(tx, after))
  }
  const reason = reply.kind === 'refused' && {
    message: `The acquirer refused the evidence: ${reply.message}`,
  }
  return keep(ctx, tx, held, errors.evidence_refused({ data: await dataOf(dispute), ...reason }))
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
 * A notice may have brought a later state than the response to the submission has. Then only the submission is
 * recorded, and the acquirer is asked again.
 */
async function recordSubmitted(
  ctx: DisputesContext,
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
  await saveChange(ctx, tx, dispute, change)
  return change.dispute
}

export async function saveChange(
  ctx: DisputesContext,
  tx: Tx,
  before: Dispute,
  { dispute, events }: DisputeChange,
): Promise<void> {
  if (events.length === 0) return
  await updateDispute(tx, dispute)
  await ctx.events.append(tx, disputeEvents(ctx, tx, events, await withEvidence(tx, dispute)))
  await handleMoney(ctx, tx, before, dispute)
}

/** Has the handlers record what a change of a dispute moved. */
export async function handleMoney(
  { lostHandlers, moneyHandlers }: DisputesContext,
  tx: Tx,
  before: Dispute | null,
  after: Dispute,
): Promise<void> {
  if (after.transaction === null) return
  const { id: transactionId, orderNumber } = after.transaction
  const [takenBefore, taken] = [amountIn(before, HOLDING_STATES), amountIn(after, HOLDING_STATES)]
  if (!isSameAmount(takenBefore, taken)) {
    const disputed = { disputeId: after.id, orderNumber, transactionId, taken, before: takenBefore }
    for (const handle of moneyHandlers) await handle(tx, disputed)
  }
  const [lostBefore, lost] = [amountIn(before, LOST), amountIn(after, LOST)]
  if (isSameAmount(lostBefore, lost)) return
  for (const handle of lostHandlers)
    await handle(tx, { orderNumber, transactionId, lost, before: lostBefore })
}

const LOST = ['lost'] as const satisfies readonly DisputeState[]

/** Null also for a payment that is not known yet. */
function amountIn(dispute: Dispute | null, states: readonly DisputeState[]): Money | null {
  return dispute !== null && dispute.transaction !== null && states.includes(dispute.state)
    ? dispute.amount
    : null
}

function isSameAmount(a: Money | null, b: Money | null): boolean {
  return a === null || b === null ? a === b : a.currency === b.currency && a.equals(b)
}

async function keep<Result extends DisputeView | RequestError>(
  { present }: DisputesContext,
  tx: Tx,
  { idempotencyId, requestId }: Submission,
  result: Result,
): Promise<Result> {
  const isError = result instanceof RequestError
  const envelope = isError ? errorEnvelope(result, requestId ?? '') : successEnvelope(present.dispute(result))
  await storeReply(tx, idempotencyId, isError ? result.status : 200, envelope)
  return result
}

import { realClock } from '#kernel/clock'
import type { AcquirerReply, DisputeRecord } from '#modules/acquirers'
import type { AcquirerTransaction } from '#modules/payments'
import type { Tx } from '#platform/postgres/database'
import type { DisputesContext } from '../context.ts'
import { disputeEvents } from '../dispute-events.ts'
import { handleMoney, saveChange } from '../evidence/record-submission.ts'
import { applyRecord, openDispute } from '../model/apply-record.ts'
import type { DisputedTransaction } from '../model/dispute.ts'
import { findByReferences, insertDispute, lockByReference } from '../storage/dispute.repository.ts'

/** Each further one is made because the dispute changed during the one before. */
const MAX_TRIES = 5

/**
 * Asks the acquirer about a dispute and records the answer. If the dispute has changed since the question, the answer
 * is dropped and the acquirer is asked again, because nobody knows which state is newer.
 */
export async function refreshDispute(
  ctx: DisputesContext,
  businessId: string,
  accountId: string,
  reference: string,
): Promise<AcquirerReply<DisputeRecord>['kind'] | 'outrun'> {
  const disputes = await ctx.acquirers.disputesOf(businessId, accountId)
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const revision = await ctx.db.transact(businessId, (tx) => revisionOf(tx, accountId, reference))
    const reply = await disputes.get(reference)
    if (reply.kind !== 'ok') return reply.kind
    const isRecorded = await ctx.db.transact(businessId, (tx) =>
      record(ctx, tx, { accountId, revision, record: reply.value }),
    )
    if (isRecorded) return 'ok'
  }
  return 'outrun'
}

async function revisionOf(tx: Tx, accountId: string, reference: string): Promise<number | null> {
  const [dispute] = await findByReferences(tx, accountId, [reference])
  return dispute?.revision ?? null
}

async function record(
  ctx: DisputesContext,
  tx: Tx,
  answer: { readonly accountId: string; readonly revision: number | null; readonly record: DisputeRecord },
): Promise<boolean> {
  const { accountId, revision } = answer
  const before = await lockByReference(tx, accountId, answer.record.reference)
  if ((before?.revision ?? null) !== revision) return false
  const transaction =
    before?.transaction ?? (await disputedTransaction(ctx, tx, accountId, answer.record.paymentReference))
  const now = realClock.now()
  if (before !== undefined) {
    await saveChange(ctx, tx, before, applyRecord(before, answer.record, transaction, now))
    return true
  }
  const { dispute, events } = openDispute(answer.record, accountId, transaction, now)
  if (!(await insertDispute(tx, dispute))) return false
  await ctx.events.append(tx, disputeEvents(ctx, tx, events, { dispute, evidence: [] }))
  await handleMoney(ctx, tx, null, dispute)
  return true
}

async function disputedTransaction(
  ctx: DisputesContext,
  tx: Tx,
  accountId: string,
  paymentReference: string,
): Promise<DisputedTransaction | null> {
  const found = await ctx.payments.findByAcquirerReferences(tx, accountId, [paymentReference])
  const [payment] = found.filter(isPayment).toSorted((a, b) => rankOf(a) - rankOf(b))
  return payment === undefined ? null : { id: payment.id, orderNumber: payment.orderNumber }
}

function isPayment({ type, state }: AcquirerTransaction): boolean {
  return type !== 'Refund' && state !== 'failed'
}

function rankOf({ type }: AcquirerTransaction): number {
  return type === 'Authorization' ? 1 : 0
}

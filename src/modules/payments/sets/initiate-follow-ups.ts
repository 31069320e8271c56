import { type Outcome, outcomeOf } from '#platform/batches/batches'
import { claimingKeys } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import type { PaymentsContext } from '../context.ts'
import { isBilled } from '../model/order.ts'
import { voidFor } from '../follow-ups/void-transaction.ts'
import { captureFor } from '../follow-ups/capture.ts'
import { type DecideFollowUp, leftOf, lockTransactions } from '../follow-ups/follow-up.ts'
import type { FollowUp, Initiated } from '../follow-ups/follow-up-request.ts'
import { refundFor } from '../follow-ups/refund.ts'
import type { FollowUpRequest } from '../model/order-requests.ts'

const DECIDE: Readonly<Record<FollowUp['kind'], (request: FollowUpRequest) => DecideFollowUp>> = {
  capture: captureFor,
  refund: refundFor,
  void: voidFor,
}

export function initiateFollowUps(
  ctx: PaymentsContext,
  tx: Tx,
  followUps: readonly FollowUp[],
): Promise<Outcome<Initiated>[]> {
  const isAlone = followUps.length === 1
  return claimingKeys(tx, followUps, async (keyed) => {
    const requests = keyed.map(({ request: { request } }) => request)
    const { unit, find } = await lockTransactions(ctx, tx, requests)
    // Orders of plans come alone.
    const [first] = isAlone && keyed[0]?.request.kind === 'refund' ? unit.aggregates.values() : []
    const leftOfOrder = first && (await leftOf(ctx, tx, first))
    const references = new Set<string>()
    const decided = keyed.map(({ request: { kind, caller, cause, request }, idempotencyId }) => {
      const { reference_id: reference, note = null } = request
      // The outcome of the first operation with this reference is not known yet.
      if (reference !== undefined && references.has(reference)) return ALONE
      if (reference !== undefined) references.add(reference)
      return outcomeOf(() => {
        const locked = {
          ...find(request),
          leftOfOrder,
          reply: { idempotencyId, requestId: caller.requestId },
        }
        if (!isAlone && isBilled(locked.aggregate.order)) return 'billed'
        locked.aggregate.causedBy(cause)
        const options = { at: tx.now, status: 'sent', referenceId: reference ?? null, note } as const
        return DECIDE[kind](request)(locked, { ...options, reply: locked.reply })
      })
    })
    const [only] = decided
    if (isAlone && only?.kind === 'done' && typeof only.value === 'function')
      return [{ kind: 'done', value: await only.value() }]
    if (decided.some(({ kind }) => kind === 'done')) await unit.save()
    return decided.map((outcome): Outcome<Initiated> => {
      if (outcome.kind !== 'done') return outcome
      const operation = outcome.value
      if (typeof operation !== 'object') return ALONE
      const aggregate = unit.aggregate(operation.orderId)
      const { order } = aggregate
      const transaction = aggregate.transaction(operation.transactionId)
      return { kind: 'done', value: { kind: 'initiated', operation, order, transaction, at: tx.now } }
    })
  })
}

const ALONE = { kind: 'alone' } as const

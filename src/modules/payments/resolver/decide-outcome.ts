import { isBefore, realClock } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { claimIdempotencyKey, storeReply } from '#platform/idempotency/idempotency'
import { envelopeOf, replyOf } from '../api/replies.ts'
import { errors } from '../api/errors.ts'
import { transactionParam, transactionSelector } from '../api/identifiers.ts'
import type { DecideOutcomeRequest } from '../api/schemas.ts'
import type { PaymentsContext } from '../context.ts'
import { newLease } from '../model/lease.ts'
import { decidableAt } from '../model/operation.ts'
import { NO_ANSWER } from '../model/transaction.ts'
import type { AcquirerResult } from '../operations/apply-result.ts'
import { recordResults } from '../operations/record-results.ts'
import { claimOperations } from '../storage/operation.repository.ts'
import { findOrders } from '../storage/order.repository.ts'

export const DECIDED_BY_A_PERSON = 'Decided by a person.'

/**
 * A person decides an outcome that no inquiry can find out, such as a refund whose request was lost a day ago
 * (reference/acquirers#decided-by-a-person).
 */
export function decideOutcome(
  ctx: PaymentsContext,
  caller: Caller,
  request: DecideOutcomeRequest,
): Promise<object> {
  const { businessId } = caller
  const selector = transactionSelector(businessId, request.transaction)
  return ctx.db.transact(businessId, async (tx) => {
    const idempotencyId = await claimIdempotencyKey(tx, caller)
    const [found] = await findOrders(tx, selector)
    const { uuid, reference_id: reference } = request.transaction
    const transaction = found?.transactions.find(
      ({ id, referenceId }) => id === uuid || (uuid === undefined && referenceId === reference),
    )
    if (transaction === undefined) {
      throw errors.transaction_not_found({ param: transactionParam(request.transaction) })
    }
    const key = transaction.voidPending ? (transaction.voidKey ?? '') : transaction.id
    const [operation] = await claimOperations(tx, [key], newLease())
    if (operation?.status !== 'unknown') throw errors.outcome_not_open()
    if (isBefore(realClock.now(), decidableAt(operation))) throw errors.outcome_still_inquired()
    const [recorded] = await recordResults(ctx, tx, [
      { operation, acquirerResult: resultOf(request, operation.reference), at: tx.now },
    ])
    if (recorded === undefined) throw new Error(`operation ${key} was not recorded`)
    const { order, transactions } = recorded
    const data = replyOf('done', { order, transactions, transaction: recorded.transaction, at: tx.now })
    await storeReply(tx, idempotencyId, 200, envelopeOf(data, caller.requestId))
    return data
  })
}

function resultOf(request: DecideOutcomeRequest, reference: string | null): AcquirerResult {
  if (request.outcome === 'failed') return { kind: 'absent' }
  return {
    ...NO_ANSWER,
    kind: 'approved',
    gatewayTransactionId: request.new_gateway_txn_id ?? reference ?? '',
    responseCode: 'approved',
    responseMessage: DECIDED_BY_A_PERSON,
  }
}

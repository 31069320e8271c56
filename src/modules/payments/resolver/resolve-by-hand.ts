import { isBefore, realClock } from '#kernel/clock'
import { leaseNow } from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import { claimIdempotencyKey, keepReply } from '#platform/idempotency/idempotency'
import { errors } from '../errors.ts'
import { transactionNotFound, transactionSelector } from '../requests/identifiers.ts'
import type { PaymentsContext } from '../context.ts'
import { NO_RESPONSE } from '../model/transaction.ts'
import type { AcquirerResult } from '../outcomes/acquirer-result.ts'
import { decidableAt } from '../outcomes/inquiry-schedule.ts'
import type { TransactionSnapshot } from '../model/payment-result.ts'
import { recordResults } from '../operations/record-results.ts'
import { claimOperations } from '../storage/operation.repository.ts'
import { findOrders } from '../storage/order-read.repository.ts'
import type { DecideOutcomeRequest } from '../model/order-requests.ts'

export const DECIDED_BY_A_PERSON = 'Decided by a person.'

/**
 * A person decides an outcome that no inquiry can find out, such as a refund whose request was lost a day ago
 * (reference/acquirers#decided-by-a-person).
 */
export function resolveByHand(
  ctx: PaymentsContext,
  caller: Caller,
  request: DecideOutcomeRequest,
): Promise<TransactionSnapshot> {
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
      throw transactionNotFound(request.transaction)
    }
    const key = transaction.voidPending ? (transaction.voidKey ?? '') : transaction.id
    const [operation] = await claimOperations(tx, [key], leaseNow())
    if (operation?.status !== 'unknown') throw errors.outcome_not_open()
    if (isBefore(realClock.now(), decidableAt(operation))) throw errors.outcome_still_inquired()
    const [recorded] = await recordResults(ctx, tx, [
      { operation, acquirerResult: resultOf(request, operation.reference), at: tx.now },
    ])
    if (recorded === undefined) throw new Error(`operation ${key} was not recorded`)
    await keepReply(tx, idempotencyId, caller, recorded)
    return recorded
  })
}

function resultOf(request: DecideOutcomeRequest, reference: string | null): AcquirerResult {
  if (request.outcome === 'failed') return { kind: 'absent' }
  return {
    ...NO_RESPONSE,
    kind: 'approved',
    gatewayTransactionId: request.new_gateway_txn_id ?? reference ?? '',
    responseCode: 'approved',
    responseMessage: DECIDED_BY_A_PERSON,
  }
}

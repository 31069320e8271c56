import type { Caller } from '#platform/caller'
import { errors } from '../errors.ts'
import type { PaymentsContext } from '../context.ts'
import { decideCapture } from './decide-capture.ts'
import {
  amountOrThrow,
  type DecideFollowUp,
  initiateForCaller,
  performFollowUpForCaller,
  requireFree,
} from './follow-up.ts'
import { readPositiveAmount } from '../requests/amounts.ts'
import { initiateCapture } from '../operations/initiate.ts'
import type { PaymentResult } from '../model/payment-result.ts'
import type { FollowUpRequest } from '../model/order-requests.ts'

export async function capture(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequest,
): Promise<PaymentResult> {
  const initiated = await initiateForCaller(ctx, caller, 'capture', request)
  return performFollowUpForCaller(ctx, caller.businessId, initiated)
}

export function captureFor(request: FollowUpRequest): DecideFollowUp {
  return (locked, options) => {
    const { unit, aggregate, transaction } = locked
    requireFree(locked)
    const { order, transactions } = aggregate
    // A closed order keeps the rest of an authorization only until it expires.
    if (order.state !== 'open' && order.state !== 'completed') throw errors.transaction_not_capturable()
    const requested = readPositiveAmount(order.currency, request.amount, 'amount')
    const amount = amountOrThrow(decideCapture(transaction, transactions, requested, options.at))
    const operation = initiateCapture(unit, aggregate, transaction, amount, options)
    aggregate.recalculate(options.at)
    return operation
  }
}

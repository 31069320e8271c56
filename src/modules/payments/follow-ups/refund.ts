import type { Money } from '#kernel/money'
import type { Caller } from '#platform/caller'
import type { PaymentsContext } from '../context.ts'
import { decideRefund } from './decide-refund.ts'
import {
  amountOrThrow,
  type DecideOperation,
  initiateForCaller,
  performFollowUpForCaller,
  previewForCaller,
  requireFree,
} from './follow-up.ts'
import { readPositiveAmount } from '../requests/amounts.ts'
import { initiateRefund } from '../operations/initiate.ts'
import type { PaymentResult } from '../model/payment-result.ts'
import type { FollowUpRequest } from '../model/order-requests.ts'
import { refuseToday } from './refuse-locked-days.ts'

export async function refund(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequest,
): Promise<PaymentResult> {
  const initiated = await initiateForCaller(ctx, caller, 'refund', request)
  return performFollowUpForCaller(ctx, caller.businessId, initiated)
}

/** Returns the amount that the refund would move. Throws the refusals that come before the call to the acquirer. */
export function previewRefund(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequest,
): Promise<Money> {
  return previewForCaller(ctx, caller, request, refundFor(request))
}

export function refundFor(request: FollowUpRequest): DecideOperation {
  return (locked, options) => {
    const { unit, aggregate, transaction, leftOfOrder, closed } = locked
    requireFree(locked)
    const { order, transactions } = aggregate
    const requested = readPositiveAmount(order.currency, request.amount, 'amount')
    const amount = amountOrThrow(decideRefund(transaction, transactions, requested, leftOfOrder))
    refuseToday(closed)
    const operation = initiateRefund(unit, aggregate, transaction, amount, options)
    aggregate.recalculate(options.at)
    return operation
  }
}

import type { Money } from '#kernel/money'
import type { Caller } from '#platform/caller'
import type { PaymentsContext } from '../context.ts'
import { decideRefund } from './decide-refund.ts'
import {
  amountOrThrow,
  type DecideFollowUp,
  type FollowUpRequest,
  initiateForCaller,
  previewForCaller,
} from './follow-up.ts'
import { readPositiveAmount } from '../requests/amounts.ts'
import { initiateRefund } from '../operations/initiate.ts'
import type { PaymentResult } from '../outcomes/payment-result.ts'
import { performFollowUp } from '../operations/perform.ts'
import { recordForCaller } from '../operations/record-for-caller.ts'

export async function refund(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequest,
): Promise<PaymentResult> {
  const { businessId } = caller
  const initiated = await initiateForCaller(ctx, caller, request, decideFor(request))
  const outcome = await performFollowUp(ctx, businessId, initiated)
  return recordForCaller(ctx, businessId, initiated, outcome)
}

/** The amount that the refund would move. Throws what the refund would throw before it asks the acquirer. */
export function previewRefund(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequest,
): Promise<Money> {
  return previewForCaller(ctx, caller, request, decideFor(request))
}

function decideFor(request: FollowUpRequest): DecideFollowUp {
  return ({ unit, aggregate, transaction }, options) => {
    const { order, transactions } = aggregate
    const requested = readPositiveAmount(order.currency, request.amount, 'amount')
    const amount = amountOrThrow(decideRefund(transaction, transactions, requested))
    return initiateRefund(unit, aggregate, transaction, amount, options)
  }
}

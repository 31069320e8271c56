import type { Money } from '#kernel/money'
import type { Caller } from '#platform/caller'
import type { FollowUpRequestBody } from '../api/schemas.ts'
import type { PaymentsContext } from '../context.ts'
import { decideRefund } from './decide-refund.ts'
import { amountOrThrow, type DecideFollowUp, initiateForCaller, previewForCaller } from './follow-up.ts'
import { readPositiveAmount } from '../api/amounts.ts'
import { initiateRefund } from '../operations/initiate.ts'
import { performFollowUp } from '../operations/perform.ts'
import { recordForCaller } from '../operations/record-for-caller.ts'

export async function refund(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequestBody,
): Promise<object> {
  const { businessId } = caller
  const initiated = await initiateForCaller(ctx, caller, request, decideFor(request))
  const outcome = await performFollowUp(ctx, businessId, initiated)
  return recordForCaller(ctx, businessId, initiated.operation, outcome)
}

/** The amount that the refund would move. Throws what the refund would throw before it asks the acquirer. */
export function previewRefund(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequestBody,
): Promise<Money> {
  return previewForCaller(ctx, caller, request, decideFor(request))
}

function decideFor(request: FollowUpRequestBody): DecideFollowUp {
  return ({ unit, aggregate, transaction }, options) => {
    const { order, transactions } = aggregate
    const requested = readPositiveAmount(order.currency, request.amount, 'amount')
    const amount = amountOrThrow(decideRefund(transaction, transactions, requested))
    return initiateRefund(unit, aggregate, transaction, amount, options)
  }
}

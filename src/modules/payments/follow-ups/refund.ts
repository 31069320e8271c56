import type { Caller } from '#platform/caller'
import type { FollowUpRequestBody } from '../api/schemas.ts'
import type { PaymentsContext } from '../context.ts'
import { decideRefund } from './decide-refund.ts'
import { amountOrThrow, initiateForCaller } from './follow-up.ts'
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
  const initiated = await initiateForCaller(
    ctx,
    caller,
    request,
    ({ unit, aggregate, transaction }, options) => {
      const { order, transactions } = aggregate
      const requested = readPositiveAmount(order.currency, request.amount, 'amount')
      const amount = amountOrThrow(decideRefund(transaction, transactions, requested))
      return initiateRefund(unit, aggregate, transaction, amount, options)
    },
  )
  const outcome = await performFollowUp(ctx, businessId, initiated)
  return recordForCaller(ctx, businessId, initiated.operation, outcome)
}

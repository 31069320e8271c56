import type { Caller } from '#platform/caller'
import { errors } from '../errors.ts'
import type { PaymentsContext } from '../context.ts'
import { decideCapture } from './decide-capture.ts'
import { amountOrThrow, type FollowUpRequest, initiateForCaller } from './follow-up.ts'
import { readPositiveAmount } from '../requests/amounts.ts'
import { initiateCapture } from '../operations/initiate.ts'
import type { PaymentResult } from '../outcomes/payment-result.ts'
import { performFollowUp } from '../operations/perform.ts'
import { recordForCaller } from '../operations/record-for-caller.ts'

export async function capture(
  ctx: PaymentsContext,
  caller: Caller,
  request: FollowUpRequest,
): Promise<PaymentResult> {
  const { businessId } = caller
  const initiated = await initiateForCaller(
    ctx,
    caller,
    request,
    ({ unit, aggregate, transaction }, options) => {
      const { order, transactions } = aggregate
      // A closed order keeps the rest of an authorization only until it expires.
      if (order.state !== 'open' && order.state !== 'completed') throw errors.transaction_not_capturable()
      const requested = readPositiveAmount(order.currency, request.amount, 'amount')
      const amount = amountOrThrow(decideCapture(transaction, transactions, requested, options.at))
      return initiateCapture(unit, aggregate, transaction, amount, options)
    },
  )
  const outcome = await performFollowUp(ctx, businessId, initiated)
  return recordForCaller(ctx, businessId, initiated, outcome)
}

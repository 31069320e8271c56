import type { Caller } from '#platform/caller'
import { readPositiveAmount } from '../model/amounts.ts'
import { beginRefund } from './initiate-follow-up.ts'
import type { PaymentsContext } from '../context.ts'
import { decideRefund } from './decide-refund.ts'
import { amountOrThrow, runFollowUp } from './follow-up.ts'
import type { FollowUpRequestBody } from '../api/schemas.ts'

/** POST transactions/refund: gives the money of a sale or capture back, or a part of it. */
export function refund(ctx: PaymentsContext, caller: Caller, request: FollowUpRequestBody): Promise<object> {
  return runFollowUp(ctx, caller, request, (ledger, transaction, begin) => {
    const wanted = readPositiveAmount(ledger.order.currency, request.amount, 'amount')
    const amount = amountOrThrow(decideRefund(transaction, ledger.transactions, wanted))
    return beginRefund(ledger, transaction, amount, begin)
  })
}

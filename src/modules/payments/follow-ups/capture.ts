import type { Caller } from '#platform/caller'
import { readPositiveAmount } from '../model/amounts.ts'
import { beginCapture } from './initiate-follow-up.ts'
import type { PaymentsContext } from '../context.ts'
import { decideCapture } from './decide-capture.ts'
import { errors } from '../api/errors.ts'
import { amountOrThrow, runFollowUp } from './follow-up.ts'
import type { FollowUpRequestBody } from '../api/schemas.ts'

/** POST transactions/capture: takes the money of an authorization, or a part of it. */
export function capture(ctx: PaymentsContext, caller: Caller, request: FollowUpRequestBody): Promise<object> {
  return runFollowUp(ctx, caller, request, (ledger, transaction, begin) => {
    // An order that is closed keeps what is left of an authorization only until it lapses.
    if (ledger.order.state !== 'open' && ledger.order.state !== 'completed') {
      throw errors.transaction_not_capturable()
    }
    const wanted = readPositiveAmount(ledger.order.currency, request.amount, 'amount')
    const amount = amountOrThrow(decideCapture(transaction, ledger.transactions, wanted, begin.at))
    return beginCapture(ledger, transaction, amount, begin)
  })
}

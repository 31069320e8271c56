import type { Caller } from '#platform/caller'
import { readPositiveAmount } from './amounts.ts'
import { beginCapture } from './begin-follow-up.ts'
import type { PaymentsContext } from './context.ts'
import { decideCapture } from './decide-capture.ts'
import { errors } from './errors.ts'
import { runFollowUp } from './follow-up.ts'
import type { FollowUpRequestBody } from './schemas.ts'

/** POST transactions/capture: takes the money of an authorization, or a part of it. */
export function capture(ctx: PaymentsContext, caller: Caller, request: FollowUpRequestBody): Promise<object> {
  return runFollowUp(ctx, caller, request, ({ ledger, transaction, at, reply }) => {
    // An order that is closed keeps what is left of an authorization only until it lapses.
    if (ledger.order.state !== 'open' && ledger.order.state !== 'completed') {
      throw errors.transaction_not_capturable()
    }
    const wanted = readPositiveAmount(ledger.order.currency, request.amount, 'amount')
    const decision = decideCapture(transaction, ledger.transactions, wanted, at)
    if (!decision.ok) {
      const param = decision.reason === 'amount_too_large' ? { param: 'amount' } : {}
      throw errors[decision.reason](param)
    }
    return beginCapture(ledger, transaction, decision.amount, {
      at,
      status: 'sent',
      referenceId: request.reference_id ?? null,
      note: request.note ?? null,
      reply,
    })
  })
}

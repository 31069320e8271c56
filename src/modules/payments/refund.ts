import type { Caller } from '#platform/caller'
import { readPositiveAmount } from './amounts.ts'
import { beginRefund } from './begin-follow-up.ts'
import type { PaymentsContext } from './context.ts'
import { decideRefund } from './decide-refund.ts'
import { errors } from './errors.ts'
import { runFollowUp } from './follow-up.ts'
import type { FollowUpRequestBody } from './schemas.ts'

/** POST transactions/refund: gives the money of a sale or capture back, or a part of it. */
export function refund(ctx: PaymentsContext, caller: Caller, request: FollowUpRequestBody): Promise<object> {
  return runFollowUp(ctx, caller, request, ({ ledger, transaction, at, reply }) => {
    const wanted = readPositiveAmount(ledger.order.currency, request.amount, 'amount')
    const decision = decideRefund(transaction, ledger.transactions, wanted)
    if (!decision.ok) {
      const param = decision.reason === 'amount_too_large' ? { param: 'amount' } : {}
      throw errors[decision.reason](param)
    }
    return beginRefund(ledger, transaction, decision.amount, {
      at,
      status: 'sent',
      referenceId: request.reference_id ?? null,
      note: request.note ?? null,
      reply,
    })
  })
}

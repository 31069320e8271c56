import type { Acquirer, Inquiry, Outcome } from '#modules/acquirers'
import type { AcquirerResult } from '../charges/apply-answer.ts'
import { acquirerOf, type PaymentsContext } from '../context.ts'
import { isOverdue, type UnderWay } from '../model/operation.ts'
import { sendFollowUp } from '../charges/perform.ts'

/**
 * Finds out what became of an operation that is leased to us. "Absent" counts only once nothing can book under its key any
 * more: the first call may still be on its way, so the key is closed for ever; where the acquirer cannot, the same request
 * is sent again under the same key (decisions, section 3).
 */
export async function investigate(
  ctx: PaymentsContext,
  businessId: string,
  underWay: UnderWay,
): Promise<AcquirerResult> {
  const answer = await findOut(ctx, businessId, underWay)
  return isAbandoned(underWay) ? { ...answer, isAbandoned: true } : answer
}

/** Whether a charge's sender recorded nothing of it in all its time, not even that it had no answer: its process died. */
function isAbandoned({ operation: { kind, status }, transaction }: UnderWay): boolean {
  if (kind !== 'sale' && kind !== 'authorization') return false
  return status === 'sent' || transaction.answer.failure === 'abandoned'
}

async function findOut(
  ctx: PaymentsContext,
  businessId: string,
  underWay: UnderWay,
): Promise<AcquirerResult> {
  const { operation, at } = underWay
  if (operation.status === 'queued') return sendFollowUp(ctx, businessId, underWay)
  const acquirer = await acquirerOf(ctx, businessId)
  if (isOverdue(operation, at) && acquirer.canCloseKeys) {
    return closed(await acquirer.closeKey(operation.key, at), 'expired')
  }
  const inquiry = await acquirer.inquire(operation.key, at)
  if (inquiry.kind !== 'absent') return inquiry
  if (inquiry.closed) return { kind: 'absent' }
  if (acquirer.canCloseKeys) return closed(await acquirer.closeKey(operation.key, at), 'absent')
  return sendAgain(ctx, businessId, acquirer, underWay)
}

/** Takes back a payment that waits for its payer: its key is closed. It may have been paid a moment ago. */
export async function cancelPending(
  ctx: PaymentsContext,
  businessId: string,
  { operation, at }: UnderWay,
): Promise<AcquirerResult> {
  const acquirer = await acquirerOf(ctx, businessId)
  return closed(await acquirer.closeKey(operation.key, at), 'canceled')
}

/** What stands under a key that was to be closed. */
function closed(inquiry: Inquiry, absent: 'absent' | 'canceled' | 'expired'): AcquirerResult {
  if (inquiry.kind !== 'absent') return inquiry
  if (inquiry.closed) return { kind: absent }
  return { kind: 'unknown', responseMessage: 'The key is not closed yet.' }
}

async function sendAgain(
  ctx: PaymentsContext,
  businessId: string,
  acquirer: Acquirer,
  underWay: UnderWay,
): Promise<Outcome> {
  const { operation, transaction, at } = underWay
  if (operation.kind !== 'sale' && operation.kind !== 'authorization') {
    return sendFollowUp(ctx, businessId, underWay)
  }
  const { token } = transaction
  const stored =
    token === null
      ? undefined
      : await ctx.db.transact(businessId, async (tx) =>
          (await ctx.customers.findTokens(tx, [token])).get(token),
        )
  const usable = stored !== undefined && (stored.tokenType !== 'CreditCard' || stored.sealed !== null)
  // A card that is not kept cannot be sent again: it stays unknown.
  if (!usable) return { kind: 'unknown', responseMessage: 'The card is not kept and cannot be sent again.' }
  const request = {
    key: operation.key,
    at,
    amount: transaction.amount,
    instrument: ctx.customers.openInstrument(stored),
    payerPresent: operation.payerPresent,
  }
  return operation.kind === 'sale' ? acquirer.sale(request) : acquirer.authorize(request)
}

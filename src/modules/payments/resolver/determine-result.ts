import type { Acquirer, Inquiry, Lookup, Outcome } from '#modules/acquirers'
import { acquirerOf, type PaymentsContext } from '../context.ts'
import { isOverdue, type LeasedOperation, lookupOf } from '../model/operation.ts'
import type { AcquirerResult } from '../operations/apply-result.ts'
import { performFollowUp, sendCharge } from '../operations/perform.ts'

/**
 * Determines the result of an operation whose lease we hold. "Absent" counts only once nothing can be booked under the key
 * any more, since the first call may still arrive: the acquirer closes the key forever, or else is sent the same request
 * again under the same key (reference/payments#unknown-outcomes).
 */
export async function determineResult(
  ctx: PaymentsContext,
  businessId: string,
  leased: LeasedOperation,
  returned: Lookup['returned'] = {},
): Promise<AcquirerResult> {
  const result = await sendOrInquire(ctx, businessId, leased, returned)
  return isAbandoned(leased) ? { ...result, isAbandoned: true } : result
}

/** Whether the sender of a charge recorded nothing during its lease, not even a timeout: its process died. */
function isAbandoned({ operation: { kind, status }, transaction }: LeasedOperation): boolean {
  if (kind !== 'sale' && kind !== 'authorization') return false
  return status === 'sent' || transaction.answer.failure === 'abandoned'
}

async function sendOrInquire(
  ctx: PaymentsContext,
  businessId: string,
  leased: LeasedOperation,
  returned: Lookup['returned'],
): Promise<AcquirerResult> {
  const { operation, transaction, at } = leased
  if (operation.status === 'queued') return performFollowUp(ctx, businessId, leased)
  const acquirer = await acquirerOf(ctx, businessId, transaction)
  const lookup = lookupOf(leased, returned)
  const canClose = acquirer.capabilities.closes.has(operation.kind)
  if (isOverdue(operation, at) && canClose) {
    return resultOfClosing(await acquirer.closeKey(lookup), 'expired')
  }
  const inquiry = await acquirer.inquire(lookup)
  if (inquiry.kind !== 'absent') return inquiry
  if (inquiry.closed) return { kind: 'absent' }
  if (canClose) return resultOfClosing(await acquirer.closeKey(lookup), 'absent')
  return sendAgain(ctx, businessId, acquirer, leased)
}

/** Cancels a payment that waits for its payer. The payer may have confirmed a moment ago; then the payment stands. */
export async function cancelAtAcquirer(
  ctx: PaymentsContext,
  businessId: string,
  leased: LeasedOperation,
): Promise<AcquirerResult> {
  const acquirer = await acquirerOf(ctx, businessId, leased.transaction)
  return resultOfClosing(await acquirer.closeKey(lookupOf(leased)), 'canceled')
}

function resultOfClosing(inquiry: Inquiry, kind: 'absent' | 'canceled' | 'expired'): AcquirerResult {
  if (inquiry.kind !== 'absent') return inquiry
  if (inquiry.closed) return { kind }
  return { kind: 'unknown', responseMessage: 'The key is not closed yet.' }
}

async function sendAgain(
  ctx: PaymentsContext,
  businessId: string,
  acquirer: Acquirer,
  leased: LeasedOperation,
): Promise<Outcome> {
  const { operation, transaction } = leased
  if (operation.kind !== 'sale' && operation.kind !== 'authorization') {
    return performFollowUp(ctx, businessId, leased)
  }
  const { token } = transaction
  const stored =
    token === null
      ? undefined
      : await ctx.db.transact(businessId, async (tx) =>
          (await ctx.customers.findTokens(tx, [token])).get(token),
        )
  const canSend =
    stored !== undefined &&
    (stored.tokenType !== 'CreditCard' || stored.sealed !== null || stored.acquirerToken !== null)
  if (!canSend) {
    return { kind: 'unknown', responseMessage: 'The card is not stored and cannot be sent again.' }
  }
  const instrument = ctx.customers.openInstrument(stored, transaction.acquirerAccountId)
  return sendCharge(ctx, businessId, acquirer, leased, { instrument, returnUrl: null })
}

import type { Acquirer, Inquiry, Lookup } from '#modules/acquirers'
import type { PaymentToken } from '#modules/customers'
import { acquirerOf, type PaymentsContext } from '../context.ts'
import type { LeasedOperation, Operation } from '../model/operation.ts'
import type { AcquirerResult } from '../outcomes/acquirer-result.ts'
import { isOverdue } from '../outcomes/inquiry-schedule.ts'
import { lookupOf } from './lookup.ts'
import { performFollowUp, sendCharge, unknownIfUnsent } from './perform.ts'
import { paymentLink } from '../links/order-links.ts'
import { inquireLost } from './inquire-lost.ts'
import { findOrders } from '../storage/order-read.repository.ts'
import { byIds } from '../storage/order-selector.ts'

/**
 * Determines the result of an operation whose lease we hold. The first call may still arrive, so "absent" counts only once
 * nothing can be booked under the key any more. The acquirer closes the key forever. If it cannot, we send the same request
 * again under the same key (reference/payments#unknown-outcomes).
 */
export async function determineResult(
  ctx: PaymentsContext,
  businessId: string,
  leased: LeasedOperation,
): Promise<AcquirerResult> {
  const result = await sendOrInquire(ctx, businessId, leased)
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
): Promise<AcquirerResult> {
  const { operation, transaction, at } = leased
  if (operation.status === 'queued') return sendFollowUp(ctx, businessId, leased)
  const acquirer = await acquirerOf(ctx, businessId, transaction)
  const lost = await inquireLost(ctx, businessId, acquirer, leased)
  if (lost.kind === 'result') return lost.result
  const lookup = lookupOf(ctx, businessId, leased)
  if (lost.kind === 'resend') return resendOrInquire(ctx, businessId, acquirer, leased, lookup)
  const canClose = !isOwedRefund(operation) && acquirer.capabilities.closes.has(operation.kind)
  if (isOverdue(operation, at) && canClose) {
    return resultOfClosing(await acquirer.closeKey(lookup), 'expired')
  }
  if (isUnsentAttempt(acquirer, operation)) {
    const resent = await sendAgain(ctx, businessId, acquirer, leased)
    if (resent !== null) return unknownIfUnsent(resent)
  }
  const inquiry = await acquirer.inquire(lookup)
  if (inquiry.kind !== 'absent') return inquiry
  if (inquiry.closed) return { kind: 'absent' }
  if (canClose) return resultOfClosing(await acquirer.closeKey(lookup), 'absent')
  return (
    (await sendAgain(ctx, businessId, acquirer, leased)) ?? {
      kind: 'unknown',
      responseMessage: 'The card is not stored and cannot be sent again.',
    }
  )
}

/**
 * A refund of unused days, of a credit note or of late money. No caller would repeat it, so it is sent until it is
 * booked.
 */
function isOwedRefund({ kind, requestId }: Operation): boolean {
  return kind === 'refund' && requestId === null
}

async function sendFollowUp(
  ctx: PaymentsContext,
  businessId: string,
  leased: LeasedOperation,
): Promise<AcquirerResult> {
  const outcome = await performFollowUp(ctx, businessId, leased)
  return isOwedRefund(leased.operation) ? unknownIfUnsent(outcome) : outcome
}

/** After a recovery the key is not closed, because a captured payment would then look as if it were not booked. */
async function resendOrInquire(
  ctx: PaymentsContext,
  businessId: string,
  acquirer: Acquirer,
  leased: LeasedOperation,
  lookup: Lookup,
): Promise<AcquirerResult> {
  const resent = await sendAgain(ctx, businessId, acquirer, leased)
  if (resent !== null) return unknownIfUnsent(resent)
  const inquiry = await acquirer.inquire(lookup)
  if (inquiry.kind !== 'absent') return inquiry
  return { kind: 'unknown', responseMessage: 'No record shows what was booked before the recovery.' }
}

/**
 * A recurring attempt whose id was never committed, so that the acquirer cannot have booked it. It continues as if it were
 * sent now, so that an outage of the acquirer costs no attempt.
 */
function isUnsentAttempt({ capabilities }: Acquirer, { kind, payerPresent, reference }: Operation): boolean {
  const isCharge = kind === 'sale' || kind === 'authorization'
  return capabilities.commitsReferences && isCharge && !payerPresent && reference === null
}

/** Cancels a payment that waits for its payer. The payer may have confirmed a moment ago; then the payment stands. */
export async function cancelAtAcquirer(
  ctx: PaymentsContext,
  businessId: string,
  leased: LeasedOperation,
): Promise<AcquirerResult> {
  const acquirer = await acquirerOf(ctx, businessId, leased.transaction)
  return resultOfClosing(await acquirer.closeKey(lookupOf(ctx, businessId, leased)), 'canceled')
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
): Promise<AcquirerResult | null> {
  const { operation, transaction, at } = leased
  if (operation.kind !== 'sale' && operation.kind !== 'authorization') {
    return sendFollowUp(ctx, businessId, leased)
  }
  const { token: tokenId, orderId, acquirerAccountId } = transaction
  if (tokenId === null) return null
  const { token, order } = await ctx.db.transact(businessId, async (tx) => {
    const [tokens, [found]] = await Promise.all([
      ctx.customers.findTokens(tx, [tokenId]),
      findOrders(tx, byIds([orderId])),
    ])
    return { token: tokens.get(tokenId), order: found?.order }
  })
  const isWanted = order?.state === 'open' && order.voiding === null
  if (!isWanted || token === undefined || !hasInstrument(token)) return null
  const instrument = ctx.customers.openInstrument(token, acquirerAccountId)
  const returnUrl = paymentLink(ctx.links, businessId, order, at)
  return sendCharge(ctx, businessId, acquirer, leased, { instrument }, returnUrl)
}

function hasInstrument({ tokenType, sealed, acquirerToken }: PaymentToken): boolean {
  return tokenType !== 'CreditCard' || sealed !== null || acquirerToken !== null
}

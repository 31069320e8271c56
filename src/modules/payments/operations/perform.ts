import { RequestError } from '#kernel/errors'
import { type Acquirer, NOT_SENT, type Outcome } from '#modules/acquirers'
import type { Charge, DirectInstrument } from '../model/charge.ts'
import { acquirerOf, type PaymentsContext } from '../context.ts'
import type { LeasedOperation } from '../model/operation.ts'
import { inquireLost } from './inquire-lost.ts'
import type { AcquirerResult } from '../outcomes/acquirer-result.ts'
import { falseUnlessCommitted } from './lookup.ts'

/** Sends a charge to the acquirer, outside any transaction. Never throws: a charge that cannot be sent is `refused`. */
export async function performCharge(ctx: PaymentsContext, charge: Charge): Promise<AcquirerResult> {
  const prepared = await prepare(ctx, charge)
  if ('refused' in prepared) return prepared.refused
  const lost = await inquireLost(ctx, charge.businessId, prepared.acquirer, charge)
  if (lost.kind === 'result') return lost.result
  const outcome = await sendCharge(
    ctx,
    charge.businessId,
    prepared.acquirer,
    charge,
    prepared,
    charge.returnUrl,
  )
  const { payerPresent, fallbackAccounts } = charge.operation
  return payerPresent || fallbackAccounts.length > 0 ? outcome : unknownIfUnsent(outcome)
}

/** While the acquirer is down, a recurring attempt without a fallback waits for the resolver instead of failing. */
export function unknownIfUnsent(outcome: AcquirerResult): AcquirerResult {
  const isUnsent = outcome.kind === 'refused' && outcome.responseCode === NOT_SENT
  return isUnsent ? { kind: 'unknown', responseMessage: outcome.responseMessage } : outcome
}

export async function performFollowUp(
  ctx: PaymentsContext,
  businessId: string,
  leased: LeasedOperation,
): Promise<Outcome> {
  const { operation, transaction } = leased
  const acquirer = await acquirerOf(ctx, businessId, transaction)
  const originalKey = operation.kind === 'void' ? transaction.id : transaction.originalId
  if (originalKey === null) throw new Error(`operation ${operation.key} has no original transaction`)
  const request = {
    ...keyed(ctx, businessId, leased),
    amount: transaction.amount.abs(),
    originalKey,
    originalReference: operation.originalReference ?? '',
  }
  switch (operation.kind) {
    case 'capture':
      return acquirer.capture(request)
    case 'refund':
      return acquirer.refund(request)
    case 'void':
      return acquirer.void(request)
    case 'sale':
    case 'authorization':
      throw new Error(`operation ${operation.key} is a charge`)
  }
}

export function sendCharge(
  ctx: PaymentsContext,
  businessId: string,
  acquirer: Acquirer,
  leased: LeasedOperation,
  { instrument, savePayer }: Pick<DirectInstrument, 'instrument' | 'savePayer'>,
  returnUrl: string | null,
): Promise<AcquirerResult> {
  const { operation, transaction } = leased
  const request = {
    ...keyed(ctx, businessId, leased),
    amount: transaction.amount,
    instrument,
    payerPresent: operation.payerPresent,
    orderNumber: transaction.orderId,
    ...(returnUrl !== null && { returnUrl }),
    ...(savePayer !== undefined && { savePayer }),
  }
  return operation.kind === 'authorization' ? acquirer.authorize(request) : acquirer.sale(request)
}

function keyed(ctx: PaymentsContext, businessId: string, { operation, at }: LeasedOperation) {
  return {
    key: operation.key,
    at,
    commitReference: (reference: string): Promise<boolean> =>
      falseUnlessCommitted(
        ctx,
        businessId,
        operation.key,
        ctx.sets.storeReferences.submit(businessId, { operation, reference }),
      ),
  }
}

async function prepare(
  ctx: PaymentsContext,
  charge: Charge,
): Promise<
  | (Pick<DirectInstrument, 'instrument' | 'savePayer'> & { readonly acquirer: Acquirer })
  | { readonly refused: Outcome }
> {
  const { businessId, token, direct, transaction } = charge
  try {
    const acquirer = await acquirerOf(ctx, businessId, transaction)
    if (direct !== null) {
      return { acquirer, ...direct }
    }
    if (token === null) throw new Error(`charge ${transaction.id} has no instrument`)
    return {
      acquirer,
      instrument: ctx.customers.openInstrument(token, transaction.acquirerAccountId),
    }
  } catch (error) {
    // No account takes the payment (expected), or the card number can no longer be decrypted.
    const isExpected = error instanceof RequestError
    if (!isExpected) {
      ctx.log.error(
        { err: error, business_id: businessId, transaction: transaction.id },
        'a charge could not be sent',
      )
    }
    const responseCode = isExpected ? error.reason : 'instrument_unavailable'
    const responseMessage = 'The payment could not be sent to the acquirer.'
    return { refused: { kind: 'refused', responseCode, responseMessage } }
  }
}

import { RequestError } from '#kernel/errors'
import type { Acquirer, Instrument, Outcome } from '#modules/acquirers'
import type { Charge } from '../charges/charge.ts'
import { acquirerOf, type PaymentsContext } from '../context.ts'
import type { LeasedOperation } from '../model/operation.ts'

/** Sends a charge to the acquirer, outside any transaction. Never throws: a charge that cannot be sent is `refused`. */
export async function performCharge(ctx: PaymentsContext, charge: Charge): Promise<Outcome> {
  const prepared = prepare(ctx, charge)
  if ('refused' in prepared) return prepared.refused
  return sendCharge(prepared.acquirer, charge, prepared.instrument, charge.returnUrl)
}

/** Sends a capture, refund or void. The same key never books twice. */
export async function performFollowUp(
  ctx: PaymentsContext,
  businessId: string,
  { operation, transaction, at }: LeasedOperation,
): Promise<Outcome> {
  const acquirer = await acquirerOf(ctx, businessId)
  const originalKey = operation.kind === 'void' ? transaction.id : transaction.originalId
  if (originalKey === null) throw new Error(`operation ${operation.key} has no original transaction`)
  const request = { key: operation.key, at, amount: transaction.amount.abs(), originalKey }
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
  acquirer: Acquirer,
  { operation, transaction, at }: LeasedOperation,
  instrument: Instrument,
  returnUrl: string | null,
): Promise<Outcome> {
  const request = {
    key: operation.key,
    at,
    amount: transaction.amount,
    instrument,
    payerPresent: operation.payerPresent,
    ...(returnUrl !== null && { returnUrl }),
  }
  return operation.kind === 'authorization' ? acquirer.authorize(request) : acquirer.sale(request)
}

function prepare(
  ctx: PaymentsContext,
  charge: Charge,
): { acquirer: Acquirer; instrument: Instrument } | { refused: Outcome } {
  const { businessId, environment, token, direct } = charge
  try {
    const acquirer = ctx.acquirers.forBusiness({ environment })
    if (direct !== null) return { acquirer, instrument: direct.instrument }
    if (token === null) throw new Error(`charge ${charge.transaction.id} has no instrument`)
    return { acquirer, instrument: ctx.customers.openInstrument(token) }
  } catch (error) {
    // The acquirer has been removed from the configuration (expected), or the card number can no longer be decrypted.
    const isExpected = error instanceof RequestError
    if (!isExpected) {
      const transaction = charge.transaction.id
      ctx.log.error({ err: error, business_id: businessId, transaction }, 'a charge could not be sent')
    }
    const responseCode = isExpected ? error.reason : 'instrument_unavailable'
    const responseMessage = 'The payment could not be sent to the acquirer.'
    return { refused: { kind: 'refused', responseCode, responseMessage } }
  }
}

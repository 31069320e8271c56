import { RequestError } from '#kernel/errors'
import type { Acquirer, Instrument, Outcome } from '#modules/acquirers'
import type { Charge } from './charge.ts'
import { acquirerOf, type PaymentsContext } from '../context.ts'
import type { UnderWay } from '../model/operation.ts'

/** The charge's call to the acquirer, outside any transaction. Never throws: without a call it answers `refused`. */
export async function performCharge(ctx: PaymentsContext, charge: Charge): Promise<Outcome> {
  const { transaction, at, payerPresent, returnUrl } = charge
  const prepared = prepare(ctx, charge)
  if ('refused' in prepared) return prepared.refused
  const request = {
    key: transaction.id,
    at,
    amount: transaction.amount,
    instrument: prepared.instrument,
    payerPresent,
    ...(returnUrl !== null && { returnUrl }),
  }
  return transaction.type === 'Authorization'
    ? prepared.acquirer.authorize(request)
    : prepared.acquirer.sale(request)
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
    // Nothing was sent. A card number that cannot be opened any more, or an acquirer taken away since.
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

/** Sends a capture, refund or void. The same key again never books twice. */
export async function sendFollowUp(
  ctx: PaymentsContext,
  businessId: string,
  { operation, transaction, at }: UnderWay,
): Promise<Outcome> {
  const acquirer = await acquirerOf(ctx, businessId)
  const originalKey = operation.kind === 'void' ? transaction.id : transaction.originalId
  if (originalKey === null) throw new Error(`operation ${operation.key} follows nothing`)
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

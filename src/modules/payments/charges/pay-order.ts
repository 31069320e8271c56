import type { Caller } from '#platform/caller'
import { requireIdentifier, refuseTakenReference } from '../requests/identifiers.ts'
import { REFERENCE_PARAM, type PayOrderRequest } from './pay-order-request.ts'
import { errors } from '../errors.ts'
import { requireAcquirer, type PaymentsContext } from '../context.ts'
import type { PaymentResult } from '../model/payment-result.ts'
import { performForCaller } from '../operations/record-for-caller.ts'

export async function payOrder(
  ctx: PaymentsContext,
  caller: Caller,
  request: PayOrderRequest,
): Promise<PaymentResult> {
  const { businessId } = caller
  requireIdentifier(request.order)
  requireOneInstrument(request.transaction)
  await requireAcquirer(ctx, businessId)
  const charge = await ctx.sets.initiatePayments
    .submit(businessId, { caller, request })
    .catch((error: unknown) =>
      refuseTakenReference(ctx, businessId, request.transaction.reference_id, REFERENCE_PARAM, error),
    )
  return performForCaller(ctx, charge)
}

function requireOneInstrument(transaction: PayOrderRequest['transaction']): void {
  const { type, payment_token: token, payment_method: method, return_url, payer_device } = transaction
  if (token === undefined && method === undefined)
    throw errors.payment_instrument_missing({ param: 'transaction.payment_token' })
  if (method !== undefined) {
    if (token !== undefined) throw errors.payment_token_or_method({ param: 'transaction.payment_method' })
    if (type === 'Authorization') throw errors.sales_only({ param: 'transaction.type' })
  } else if (return_url !== undefined || payer_device !== undefined) {
    const param = return_url === undefined ? 'payer_device' : 'return_url'
    throw errors.needs_payment_method({
      param: `transaction.${param}`,
      message: `transaction.${param} requires payment_method.`,
    })
  }
}

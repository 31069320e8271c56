import type { Caller } from '#platform/caller'
import { requireIdentifier, refuseTakenReference } from '../requests/identifiers.ts'
import { REFERENCE_PARAM, type PayOrderRequest } from './pay-order-request.ts'
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
  await requireAcquirer(ctx, businessId)
  const charge = await ctx.sets.initiatePayments
    .submit(businessId, { caller, request })
    .catch((error: unknown) =>
      refuseTakenReference(ctx, businessId, request.transaction.reference_id, REFERENCE_PARAM, error),
    )
  return performForCaller(ctx, charge)
}

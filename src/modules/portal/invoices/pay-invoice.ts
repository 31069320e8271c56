import type { RequestError } from '#kernel/errors'
import { readMoney } from '#kernel/money'
import { catalogueErrors } from '#modules/catalogue'
import { customerErrors } from '#modules/customers'
import { dueTotal, paymentErrors, type PaymentResult } from '#modules/payments'
import type { Caller } from '#platform/caller'
import { claimIdempotencyKey } from '#platform/idempotency/idempotency'
import type { PortalContext, Visitor } from '../context.ts'
import { errors } from '../errors.ts'
import type { PayRequest } from '../model/portal-requests.ts'
import { requireOwnInvoice } from './own-invoice.ts'

/** Charges what the customer saw and nothing else. The amount is reserved, so two clicks pay once. */
export async function payInvoice(
  ctx: PortalContext,
  visitor: Visitor,
  id: string,
  request: PayRequest,
): Promise<PaymentResult> {
  const { caller, customerUuid } = visitor
  const invoice = await requireOwnInvoice(ctx, visitor, id)
  const { payment_token: paymentToken, expected_total: expectedTotal } = request
  const { order, token } = await ctx.db.transact(caller.businessId, async (tx) => ({
    order: (await ctx.payments.findOrders(tx, [invoice.orderNumber])).get(invoice.orderNumber)?.order,
    token: (await ctx.customers.findTokens(tx, [paymentToken])).get(paymentToken),
  }))
  if (token?.customerUuid !== customerUuid || token.state === 'deleted')
    throw customerErrors.payment_token_not_found({ param: 'payment_token' })
  const param = 'expected_total'
  const expected = readMoney(invoice.currency, expectedTotal, param, (_, rule) =>
    errors.expected_total_invalid({ param, message: `${param} ${rule}.` }),
  )
  if (order === undefined || invoice.type !== 'invoice') throw paymentErrors.order_not_payable()
  const due = dueTotal(order)
  if (!due.isPositive() && !expected.isPositive())
    await refuseUnlessRepeated(ctx, caller, paymentErrors.order_not_payable())
  if (due.isPositive() && !due.equals(expected)) {
    const message = 'What is open of the invoice differs from expected_total, so nothing was paid.'
    await refuseUnlessRepeated(
      ctx,
      caller,
      catalogueErrors.total_changed({ param, message, data: { total: due } }),
    )
  }
  return ctx.payments.payOrder(caller, {
    order: { number: order.id },
    transaction: { type: 'Sales', amount: expectedTotal, payment_token: paymentToken },
  })
}

/** A repeated request gets its first response: what is open has changed by its own payment. */
function refuseUnlessRepeated(ctx: PortalContext, caller: Caller, error: RequestError): Promise<never> {
  return ctx.db.transact(caller.businessId, async (tx) => {
    await claimIdempotencyKey(tx, caller)
    throw error
  })
}

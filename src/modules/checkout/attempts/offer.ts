import type { PaymentOffer } from '#modules/acquirers'
import { freeTotal } from '#modules/payments'
import type { CheckoutDependencies } from '../dependencies.ts'
import type { PaymentView } from '../pages/payment/payment-view.ts'

/**
 * How the order can be paid on its page now.
 * @param account the account of the form that the payer has; it stays the payer's while routing could choose it
 */
export function offerOf(
  { acquirers }: CheckoutDependencies,
  { businessId, environment, order }: PaymentView,
  account: string | null = null,
): Promise<PaymentOffer> {
  const payment = { amount: freeTotal(order), source: order.type }
  return acquirers.offer({ businessId, environment }, payment, account)
}

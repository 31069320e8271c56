import type { PaymentOffer } from '#modules/acquirers'
import { freeTotal } from '#modules/payments'
import type { CheckoutDependencies } from '../dependencies.ts'
import type { PaymentView } from '../model/payment-view.ts'

export function offerOf(
  { acquirers }: CheckoutDependencies,
  { businessId, environment, order }: PaymentView,
  account: string | null = null,
): Promise<PaymentOffer> {
  const payment = { amount: freeTotal(order), source: order.type }
  return acquirers.offer({ businessId, environment }, payment, account)
}

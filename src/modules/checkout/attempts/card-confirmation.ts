import { readLinkId } from '#modules/payments'
import type { Language } from '../words/language.ts'
import type { CheckoutDependencies } from '../dependencies.ts'
import type { PaymentView } from '../model/payment-view.ts'

/**
 * The verification page of the card that paid this order and is being saved, when the bank asks the payer to confirm the
 * saving as well. Null when there is nothing to confirm. A token that this page saved returns to this page; another one of
 * the same card is the merchant's own.
 */
export async function cardConfirmationUrl(
  deps: CheckoutDependencies,
  view: PaymentView,
  language: Language,
): Promise<string | null> {
  const { businessId, order, transactions } = view
  const { customerUuid } = order
  const paid = transactions.findLast(({ state, type }) => state === 'succeeded' && type === 'Sales')
  if (view.state.kind !== 'paid' || customerUuid === null || paid?.paymentMethod !== 'credit_card')
    return null
  const { first6, last4 } = paid.instrument
  const tokens = await deps.db.transact(businessId, (tx) => deps.customers.listCards(tx, customerUuid))
  const unconfirmed = tokens.find(
    (token) =>
      token.state === 'pending' &&
      token.first6 === first6 &&
      token.last4 === last4 &&
      orderOfPaymentPage(deps, token.returnUrl) === order.id,
  )
  if (unconfirmed === undefined) return null
  const address = deps.links.make({ businessId, purpose: 'verification', id: unconfirmed.verifyUuid })
  return `${address}?lang=${language}`
}

function orderOfPaymentPage(deps: CheckoutDependencies, url: string | null): string | undefined {
  const token = url === null ? undefined : new URL(url).pathname.split('/').at(-1)
  const link = deps.links.read('payment', token ?? '')
  return link === null ? undefined : readLinkId(link.id).orderId
}

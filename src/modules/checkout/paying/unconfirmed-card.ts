import { readLinkId } from '#modules/payments'
import type { Language } from '../words/language.ts'
import type { CheckoutDependencies } from '../dependencies.ts'
import type { PaymentView } from '../pages/payment-view.ts'

/**
 * Where the payer confirms the card that this order was paid with and that is to be kept: a bank that asked to confirm the
 * payment asks for that too. Null when there is nothing to confirm.
 */
export async function unconfirmedCardUrl(
  deps: CheckoutDependencies,
  view: PaymentView,
  language: Language,
): Promise<string | null> {
  const { businessId, order, standing, transactions } = view
  const { customerUuid } = order
  const paid = transactions.findLast(({ state, type }) => state === 'succeeded' && type === 'Sales')
  if (standing.kind !== 'paid' || customerUuid === null || paid?.paymentMethod !== 'credit_card') return null
  const { first6, last4 } = paid.instrument
  const tokens = await deps.db.transact(businessId, (tx) => deps.customers.listCards(tx, customerUuid))
  // The merchant may be binding the same card elsewhere: this order's page saved what comes back to it.
  const unconfirmed = tokens.find(
    (token) =>
      token.state === 'pending' &&
      token.first6 === first6 &&
      token.last4 === last4 &&
      orderOfPage(deps, token.returnUrl) === order.id,
  )
  if (unconfirmed === undefined) return null
  const address = deps.links.make({ businessId, purpose: 'verification', id: unconfirmed.verifyUuid })
  return `${address}?lang=${language}`
}

/** The order whose payment page this address is; undefined when it is another's. */
function orderOfPage(deps: CheckoutDependencies, address: string | null): string | undefined {
  const token = address === null ? undefined : new URL(address).pathname.split('/').at(-1)
  const link = deps.links.read('payment', token ?? '')
  return link === null ? undefined : readLinkId(link.id).orderId
}

import type { Money } from '#kernel/money'
import { SIMULATOR_ACCOUNT, type RoutedAccount, type Router, type RoutingQuestion } from '#modules/acquirers'
import type { NewCharge } from '../model/charge.ts'
import type { Order } from '../model/order.ts'
import { directMethod } from '../model/shown-instrument.ts'

export function chooseAccounts(
  router: Router,
  order: Order,
  charge: Pick<NewCharge, 'token' | 'direct'>,
  amount: Money,
): readonly RoutedAccount[] {
  return router.route({
    amount,
    source: order.type,
    ...instrumentOf(charge),
  })
}

function instrumentOf({
  token,
  direct,
}: Pick<NewCharge, 'token' | 'direct'>): Omit<RoutingQuestion, 'amount' | 'source'> {
  if (token !== null) {
    const { brand, country, tokenType, sealed } = token
    const boundTo = token.acquirerToken === null ? null : token.acquirerAccountId
    const cardOrBound = sealed === null ? 'bound' : 'card'
    if (tokenType === 'CreditCard')
      return { paymentMethod: 'payment_token', brand, country, instrument: cardOrBound, boundTo }
    // Without a token of an account it is the agreement that the simulator takes.
    if (boundTo === null)
      return { paymentMethod: 'payment_token', brand, country, instrument: 'wallet', boundTo }
    const agreement = tokenType === 'WalletBAutoDebit' ? 'wallet_b' : 'wallet_a_pay'
    return { paymentMethod: 'payment_token', brand, country, instrument: 'bound', boundTo, agreement }
  }
  const type = direct?.instrument.type
  const instrument = type === 'card' ? 'card' : type === 'component' ? 'bound' : 'wallet'
  return {
    paymentMethod: directMethod(direct),
    brand: direct?.shown.brand ?? null,
    country: null,
    instrument,
    boundTo: direct?.accountId ?? null,
  }
}

/** Replaces the account if no account can take the payment. The transaction is never sent. */
export const NO_ACCOUNT = { id: '', acquirerName: '', merchantId: '' } as const

export function isSimulator({ id }: Pick<RoutedAccount, 'id'>): boolean {
  return id === SIMULATOR_ACCOUNT
}

import type { Instant } from '#kernel/clock'
import type { Refused } from '#kernel/refusal'
import { methodCurrencies, type Router } from '#modules/acquirers'
import { type PaymentToken, whyNotChargeable } from '#modules/customers'
import type { ChargeRefusal, NewCharge, RefusedCharge } from '../model/charge.ts'
import { correspondenceState, type Order } from '../model/order.ts'
import { directMethod, isWalletMethod } from '../model/shown-instrument.ts'

/** Returns the token if it can be charged for the order at `at`. */
export function decideToken(
  order: Order,
  token: PaymentToken | undefined,
  at: Instant,
):
  | PaymentToken
  | Refused<
      'payment_token_not_found' | 'payment_token_of_another_customer' | 'payment_token_not_chargeable'
    > {
  const param = 'transaction.payment_token'
  if (token === undefined) return { refused: 'payment_token_not_found', param }
  if (order.customerUuid !== null && token.customerUuid !== order.customerUuid) {
    return { refused: 'payment_token_of_another_customer', param }
  }
  const why = whyNotChargeable(token, at)
  if (why === null) return token
  const message =
    why === 'payment_token_expired' ? 'The card has expired.' : 'The payment token is not active.'
  return { refused: 'payment_token_not_chargeable', param, message }
}

type WalletRefusal = Refused<'wallet_not_available' | 'wallet_currency_not_supported'>

/**
 * Says a refused charge in the words of the request.
 * @param router null if no payment of the set is made with a wallet
 */
export function refusalOfPayment(
  { refused, message }: RefusedCharge,
  order: Order,
  { direct }: NewCharge,
  router: Router | null,
): Refused<ChargeRefusal> | WalletRefusal {
  switch (refused) {
    case 'order_not_found':
    case 'payment_in_progress':
      return { refused }
    case 'order_not_payable':
      return { refused, message: `The order cannot be paid: it is ${whyNotPayable(order)}.` }
    case 'amount_too_large':
      return { refused, param: 'transaction.amount', ...(message !== undefined && { message }) }
    case 'no_account_for_payment':
      if (direct !== undefined) return walletRefusal(directMethod(direct), order, router)
      return { refused, param: 'transaction.payment_token' }
  }
}

function walletRefusal(
  method: ReturnType<typeof directMethod>,
  { currency }: Order,
  router: Router | null,
): WalletRefusal {
  const isTaken = isWalletMethod(method) && router?.takesWallet(method) === true
  const isOfFps = method !== 'fps' || methodCurrencies(method)?.includes(currency) === true
  if (isOfFps && !isTaken) return { refused: 'wallet_not_available', param: 'transaction.payment_method' }
  return {
    refused: 'wallet_currency_not_supported',
    param: 'order.currency',
    message: `${method} cannot be paid in ${currency} here.`,
  }
}

function whyNotPayable(order: Order): string {
  if (order.state === 'completed')
    return correspondenceState(order) === 'partial_paid' ? 'partly refunded' : 'paid'
  if (order.state !== 'open') return order.state
  return order.voiding === null ? 'expired' : 'being voided'
}

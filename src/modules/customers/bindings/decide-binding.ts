import { passesLuhn } from '#kernel/card-number'
import type { Instant } from '#kernel/clock'
import { isCurrency } from '#kernel/currencies'
import type { Refused } from '#kernel/refusal'
import type { Environment } from '#platform/caller'
import { isTestCard } from '#modules/acquirers'
import { type CardExpiry, expiryProblem } from '../tokens/card-expiry.ts'
import type { BindRequest, CardRequest } from './bind-request.ts'

type Contradiction = Refused<
  | 'acquirer_token_not_allowed'
  | 'account_of_wallets_only'
  | 'credit_card_not_allowed'
  | 'credit_card_required'
  | 'card_number_invalid'
  | 'billing_currency_unknown'
>

/** Returns the card to verify, and undefined if the request binds a wallet or what an acquirer has already. */
export function decideCard(request: BindRequest): CardRequest | undefined | Contradiction {
  const { credit_card: card, acquirer_token: token } = request
  const isCard = request.token_type === 'CreditCard'
  if (token !== undefined) {
    if (card === undefined && isCard) return undefined
    return { refused: 'acquirer_token_not_allowed', param: 'payment_token.acquirer_token' }
  }
  if (!isCard) {
    if (card === undefined) return undefined
    return { refused: 'credit_card_not_allowed', param: 'payment_token.credit_card' }
  }
  if (request.acquirer_account_id !== undefined) {
    return { refused: 'account_of_wallets_only', param: 'payment_token.acquirer_account_id' }
  }
  if (card === undefined) return { refused: 'credit_card_required', param: 'payment_token.credit_card' }
  if (!passesLuhn(card.number)) {
    return { refused: 'card_number_invalid', param: 'payment_token.credit_card.number' }
  }
  if (isCurrency(card.billing_currency)) return card
  return { refused: 'billing_currency_unknown', param: 'payment_token.credit_card.billing_currency' }
}

/** @param acquirerName '' where routing found no account */
export function refuseRealCard(
  environment: Environment,
  { number }: CardRequest,
  acquirerName: string,
): Refused<'test_card_required'> | null {
  if (environment !== 'test' || isTestCard(number, acquirerName)) return null
  return { refused: 'test_card_required', param: 'payment_token.credit_card.number' }
}

export function refuseExpiry(
  expiry: CardExpiry,
  at: Instant,
): Refused<'card_expired' | 'card_expiry_invalid'> | null {
  const problem = expiryProblem(expiry, at)
  return problem === null ? null : { refused: problem, param: 'payment_token.credit_card.exp_year' }
}

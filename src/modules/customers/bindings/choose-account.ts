import { isCurrency } from '#kernel/currencies'
import type { RequestError } from '#kernel/errors'
import { Money } from '#kernel/money'
import {
  acquirerErrors,
  type RoutedAccount,
  SIMULATOR_ACCOUNT,
  type WalletName,
  walletOf,
} from '#modules/acquirers'
import type { Caller } from '#platform/caller'
import { errors } from '../errors.ts'
import type { CustomersContext } from '../context.ts'
import { walletMethodOf } from '../model/payment-token.ts'
import { brandOf } from '../tokens/card-number.ts'
import type { BindRequest } from './bind-request.ts'

/**
 * The account that verifies the instrument: the token's own, or the one that routing chooses. Other errors are
 * returned, because a missing customer is reported first.
 * @throws 503 when the tenant has no account
 */
export async function chooseAccount(
  ctx: CustomersContext,
  { businessId, environment }: Caller,
  request: BindRequest,
  card: BindRequest['credit_card'],
): Promise<RoutedAccount | RequestError> {
  const router = await ctx.acquirers.router({ businessId, environment })
  if (router.first === null) throw acquirerErrors.acquirer_not_configured()
  const { acquirer_token: token } = request
  if (token !== undefined) {
    const account = router.account(token.acquirer_account_id)
    const param = 'payment_token.acquirer_token.acquirer_account_id'
    if (account === null || account.id === SIMULATOR_ACCOUNT)
      return acquirerErrors.acquirer_account_not_found({ param })
    return account
  }
  const wallet = request.token_type === 'CreditCard' ? null : walletMethodOf(request.token_type)
  if (wallet !== null && request.acquirer_account_id !== undefined) {
    const account = router.account(request.acquirer_account_id)
    const param = 'payment_token.acquirer_account_id'
    if (account === null) return acquirerErrors.acquirer_account_not_found({ param })
    if (account.id === SIMULATOR_ACCOUNT) return account
    const name = walletOf(account.wallets, wallet)
    if (name === null) return errors.no_account_for_instrument({ param })
    return (await takesAgreements(ctx, businessId, account.id, name)) ? account : notOpened(name, param)
  }
  if (wallet !== null) {
    const agreeing = router.route({ ...ANY_WALLET, paymentMethod: wallet })
    let refused: RequestError | null = null
    for (const account of agreeing) {
      const name = walletOf(account.wallets, wallet)
      if (name === null) continue
      if (await takesAgreements(ctx, businessId, account.id, name)) return account
      refused = notOpened(name, 'payment_token.token_type')
    }
    if (refused !== null) return refused
  }
  const currency = card?.billing_currency ?? 'HKD'
  const [account] = router.route({
    amount: Money.zero(isCurrency(currency) ? currency : 'HKD'),
    paymentMethod: 'payment_token',
    source: 'one_off',
    brand: card === undefined ? null : brandOf(card.number),
    country: null,
    instrument: card === undefined ? 'wallet' : 'card',
    withCode: card !== undefined,
    boundTo: null,
  })
  if (account === undefined) return errors.no_account_for_instrument({ param: 'payment_token' })
  return account
}

/** While the acquirer does not answer, the verification itself decides. */
async function takesAgreements(
  ctx: CustomersContext,
  businessId: string,
  accountId: string,
  wallet: WalletName,
): Promise<boolean> {
  if (accountId === SIMULATOR_ACCOUNT) return true
  const connected = await ctx.acquirers.connected(businessId, accountId)
  const reply = await connected.takesAgreements?.(wallet)
  return reply?.kind !== 'ok' || reply.value
}

function notOpened(wallet: WalletName, param: string): RequestError {
  return errors.no_account_for_instrument({
    param,
    message: `The account takes no agreements with ${wallet} yet: ask its acquirer to open them.`,
  })
}

const ANY_WALLET = {
  amount: Money.zero('HKD'),
  source: 'recurring',
  brand: null,
  country: null,
  instrument: 'wallet',
  boundTo: null,
} as const

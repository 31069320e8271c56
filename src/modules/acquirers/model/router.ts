import type { Currency } from '#kernel/currencies'
import type { Money } from '#kernel/money'
import type { Wallets } from '../port/adapter.ts'
import type { Capabilities, WalletMethod } from '../port/port.ts'

export const SIMULATOR_ACCOUNT = 'simulator'

export const PAGE_METHODS = ['credit_card', 'wallet_a_pay', 'wallet_b', 'fps'] as const

/**
 * - `country`: ISO 3166-1 alpha-2 country of the card's issuer, where it is known.
 * - `instrument`: `card`: a full number, for accounts with `raw_card_numbers` and for the one that has a token of it.
 *   `bound`: a token or component data that only that account knows.
 * - `boundTo`: The account that has a token of the instrument, if any.
 * - `withCode`: The payer has just entered the security code of the card.
 * - `agreement`: The wallet of a token that is bound to an account.
 */
export interface RoutingQuestion {
  readonly amount: Money
  readonly paymentMethod: 'credit_card' | 'payment_token' | WalletMethod
  readonly source: 'recurring' | 'one_off'
  readonly brand: string | null
  readonly country: string | null
  readonly instrument: 'card' | 'wallet' | 'bound'
  readonly boundTo: string | null
  readonly withCode?: boolean
  readonly agreement?: WalletMethod
}

/** `wallets`: Undefined at the simulator, whose wallets have no real names. */
export interface RoutedAccount {
  readonly id: string
  readonly acquirerName: string
  readonly merchantId: string
  readonly capabilities: Capabilities
  readonly wallets?: Wallets
}

/**
 * The accounts and rules of one tenant at one moment.
 * - `route`: The chosen account, then its fallbacks in order. Empty when no account can take the payment.
 * - `account`: An active account of the tenant, by id.
 * - `hasPageFor`: Whether an active account could take a payment in the currency on its page.
 * - `first`: The account that a transaction names if it is never sent. Null when the tenant has no active account.
 * - `takesWallet`: Whether an active account takes the wallet, perhaps in other currencies only.
 */
export interface Router {
  route(question: RoutingQuestion): readonly RoutedAccount[]
  account(id: string): RoutedAccount | null
  hasPageFor(currency: Currency): boolean
  takesWallet(method: WalletMethod): boolean
  readonly first: RoutedAccount | null
}

import type { Instant } from '#kernel/clock'
import type { SealBinding } from '#platform/security/keyring'
import type { AcquirerName, Wallets } from '../port/adapter.ts'
import type { DomainFile } from './domain-file.ts'
import type { RoutingQuestion } from './router.ts'

export const PAYMENT_METHODS = ['credit_card', 'payment_token', 'wallet_a_pay', 'wallet_b', 'fps'] as const
export type PaymentMethod = RoutingQuestion['paymentMethod']

export const ACCOUNT_STATES = ['active', 'disabled'] as const

export interface AcquirerAccount {
  readonly id: string
  readonly acquirer: AcquirerName
  readonly name: string
  readonly state: (typeof ACCOUNT_STATES)[number]
  readonly merchantId: string
  readonly apiBase: string
  readonly statementDescriptor: string | null
  readonly methods: readonly PaymentMethod[]
  readonly currencies: readonly string[]
  readonly rawCardNumbers: boolean
  readonly wallets: Wallets
  readonly version: number
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

export interface SealedAccount extends AcquirerAccount {
  readonly sealedCredentials: string
}

/** The wallets that may pay as each method, the preferred one first. */
export const WALLETS = { wallet_a: ['wechat_pay'], wallet_b: ['alipay_hk', 'alipay'] } as const

export const DEFAULT_METHODS: readonly PaymentMethod[] = ['credit_card']
/** Both bounds: reference/acquirers#accounts. */
export const MAX_ACTIVE_ACCOUNTS = 50
export const MAX_ACCOUNTS = 500

export function credentialsBinding(businessId: string, accountId: string): SealBinding {
  return { businessId, field: `acquirer_accounts.credentials ${accountId}` }
}

function webhookPath(businessId: string, accountId: string): string {
  return `/acquirer_webhooks/${businessId}/${accountId}`
}

export interface AccountView {
  readonly account: AcquirerAccount
  readonly webhookUrl: string
  readonly domainFile: DomainFile | undefined
}

export function viewOf(
  { publicUrl }: { readonly publicUrl: () => string },
  businessId: string,
  account: AcquirerAccount,
  domainFile: DomainFile | undefined,
): AccountView {
  return { account, webhookUrl: publicUrl() + webhookPath(businessId, account.id), domainFile }
}

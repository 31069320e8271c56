import { isCurrency } from '#kernel/currencies'
import type { AcquirersDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import {
  type AccountSettings,
  type AcquirerAdapter,
  type CredentialCheck,
  NO_WALLETS,
  type Wallets,
} from '../port/adapter.ts'
import type { NewAccount } from './account-requests.ts'

const PREFIX = 'acquirer_account'

type UncheckedSettings = Omit<AccountSettings, 'merchantId'>

export function readCredentials(
  { name, credentialMembers, optionalCredentials = [] }: AcquirerAdapter,
  given: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const known = [...credentialMembers, ...optionalCredentials]
  const foreign = Object.keys(given).find((member) => !known.includes(member))
  if (foreign !== undefined) {
    throw invalid(
      `credentials.${foreign}`,
      `is not a credential of ${name}; ${name} takes ${known.join(', ')}`,
    )
  }
  return Object.fromEntries(
    known.flatMap((member) => {
      const value = given[member]
      if (value !== undefined) return [[member, value]]
      if (optionalCredentials.includes(member)) return []
      throw invalid(`credentials.${member}`, `is required for ${name}`)
    }),
  )
}

const WALLET_METHODS = { wallet_a: 'wallet_a_pay', wallet_b: 'wallet_b' } as const

export function readWallets(
  { name, namesWallets }: AcquirerAdapter,
  methods: readonly string[],
  given: NewAccount['wallets'],
): Wallets {
  if (given === undefined) return NO_WALLETS
  if (namesWallets !== true) throw invalid('wallets', `is not a setting of ${name}`)
  for (const member of ['wallet_a', 'wallet_b'] as const) {
    const method = WALLET_METHODS[member]
    if (given[member] !== undefined && !methods.includes(method)) {
      throw invalid(`wallets.${member}`, `is set, but methods has no ${method}`)
    }
  }
  return { walletA: given.wallet_a ?? null, walletB: given.wallet_b ?? null }
}

export function readCurrencies(currencies: readonly string[]): string[] {
  for (const [index, currency] of currencies.entries()) {
    if (!isCurrency(currency)) throw invalid(`currencies[${index}]`, 'must be an ISO 4217 currency code')
  }
  return [...new Set(currencies)]
}

/**
 * Asks the acquirer whether it accepts the credentials. Never call this inside a transaction.
 * @returns the acquirer's id of the account, and the wallets that it takes
 * @throws 422 `credentials_refused`, 503 `acquirer_unreachable`
 */
export async function checkCredentials(
  { egress, timeoutMs }: AcquirersDependencies,
  adapter: AcquirerAdapter,
  settings: UncheckedSettings,
): Promise<{ readonly merchantId: string; readonly wallets: Wallets }> {
  const misfit = adapter.checkForm(settings)
  if (misfit !== null) throw refused(misfit)
  const check = await adapter.checkCredentials(settings, {
    connect: egress.connect,
    ...(timeoutMs !== undefined && { timeoutMs }),
  })
  if (check.kind === 'refused') throw refused(check)
  if (check.kind === 'unavailable') {
    throw errors.acquirer_unreachable({
      message: `${adapter.name} did not check the credentials: ${check.message.replace(/\.$/, '')}.`,
    })
  }
  return { merchantId: check.merchantId, wallets: check.wallets ?? settings.wallets ?? NO_WALLETS }
}

export function invalid(member: string, rule: string): Error {
  const param = `${PREFIX}.${member}`
  return errors.acquirer_account_invalid({ param, message: `${param} ${rule}.` })
}

function refused({ member, message }: Extract<CredentialCheck, { kind: 'refused' }>): Error {
  const param = `${PREFIX}.${member}`
  return errors.credentials_refused({ param, message: `${param} ${message}.` })
}

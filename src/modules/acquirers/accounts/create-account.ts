import { newId } from '#kernel/ids'
import type { Caller } from '#platform/caller'
import { refuseUsedKey } from '#platform/idempotency/idempotency'
import { type AcquirersContext, changing } from '../context.ts'
import type { AcquirersDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import type { AcquirerAdapter } from '../port/adapter.ts'
import { insertAccount } from '../storage/account.repository.ts'
import {
  type AccountView,
  credentialsBinding,
  DEFAULT_METHODS,
  type SealedAccount,
} from '../model/account.ts'
import type { NewAccount } from './account-requests.ts'
import { readApiBase } from './api-base.ts'
import { checkCredentials, invalid, readCredentials, readCurrencies, readWallets } from './check-account.ts'
import { readDomainFile, storeWithDomainFile } from './domain-file.ts'

export function createAccount(
  ctx: AcquirersContext,
  caller: Caller,
  given: NewAccount,
): Promise<AccountView> {
  return changing(ctx, caller, () => checkAndInsert(ctx, caller, given))
}

async function checkAndInsert(
  deps: AcquirersContext,
  caller: Caller,
  given: NewAccount,
): Promise<AccountView> {
  const { businessId, environment } = caller
  await refuseUsedKey(deps.db, caller)
  const adapter = deps.adapters[given.acquirer]
  const methods = [...new Set(given.methods ?? DEFAULT_METHODS)]
  const settings = {
    environment,
    credentials: readCredentials(adapter, given.credentials),
    apiBase: apiBaseOf(deps, adapter, caller, given.api_base),
    statementDescriptor: given.statement_descriptor ?? null,
    methods,
    wallets: readWallets(adapter, methods, given.wallets),
  }
  const currencies = readCurrencies(given.currencies ?? [])
  const domainFile = readDomainFile(adapter, given.apple_pay_domain_file)
  const { merchantId, wallets } = await checkCredentials(deps, adapter, settings)
  return storeWithDomainFile(deps, caller, domainFile, async (tx) => {
    const id = newId('acc')
    const account: SealedAccount = {
      id,
      acquirer: given.acquirer,
      name: given.name,
      state: 'active',
      merchantId,
      apiBase: settings.apiBase,
      statementDescriptor: settings.statementDescriptor,
      methods,
      wallets,
      currencies,
      rawCardNumbers: given.raw_card_numbers ?? false,
      version: 1,
      createdAt: tx.now,
      updatedAt: tx.now,
      sealedCredentials: deps.keyring.seal(
        JSON.stringify(settings.credentials),
        credentialsBinding(businessId, id),
      ),
    }
    if (!(await insertAccount(tx, account))) throw errors.too_many_acquirer_accounts()
    for (const handler of deps.accountCreated) await handler(tx, id)
    return account
  })
}

function apiBaseOf(
  { egress }: AcquirersDependencies,
  { name, defaultApiBase }: AcquirerAdapter,
  { environment }: Caller,
  given: string | undefined,
): string {
  if (given !== undefined) return readApiBase(egress, given)
  const base = defaultApiBase[environment]
  if (base === null) throw invalid('api_base', `is required for ${name} in a ${environment} environment`)
  return base
}

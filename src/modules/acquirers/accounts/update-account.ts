import { timeOfChange } from '#kernel/clock'
import type { Caller } from '#platform/caller'
import { refuseUsedKey } from '#platform/idempotency/idempotency'
import type { Tx } from '#platform/postgres/database'
import { type AcquirersContext, changing } from '../context.ts'
import type { AcquirersDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import type { AcquirerAdapter, AcquirerName, Wallets } from '../port/adapter.ts'
import {
  disableAccountRow,
  findAccount,
  lockAccount,
  updateAccountRow,
} from '../storage/account.repository.ts'
import { deleteDomainFile } from '../storage/domain-file.repository.ts'
import {
  type AccountView,
  type AcquirerAccount,
  credentialsBinding,
  type SealedAccount,
  viewOf,
} from '../model/account.ts'
import { readApiBase } from './api-base.ts'
import { checkCredentials, invalid, readCredentials, readCurrencies, readWallets } from './check-account.ts'
import type { AccountEdit } from './account-requests.ts'
import { readDomainFile, storeWithDomainFile } from './domain-file.ts'

/** Each check asks the acquirer. An account that changes during all of them is refused with 409. */
const MAX_CHECKS = 3

class ChangedMeanwhile extends Error {}

export function updateAccount(
  ctx: AcquirersContext,
  caller: Caller,
  id: string,
  edit: AccountEdit,
): Promise<AccountView> {
  return changing(ctx, caller, () => checkUntilUnchanged(ctx, caller, id, edit))
}

async function checkUntilUnchanged(
  deps: AcquirersContext,
  caller: Caller,
  id: string,
  edit: AccountEdit,
): Promise<AccountView> {
  await refuseUsedKey(deps.db, caller)
  for (let check = 1; check <= MAX_CHECKS; check++) {
    try {
      return await checkAndStore(deps, caller, id, edit)
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) throw error
    }
  }
  throw errors.acquirer_account_changed()
}

export function disableAccount(ctx: AcquirersContext, caller: Caller, id: string): Promise<AccountView> {
  const { businessId } = caller
  return changing(ctx, caller, async () => {
    const disable = async (tx: Tx) => {
      await deleteDomainFile(tx, id)
      return disableAccountRow(tx, id)
    }
    const account = await ctx.db.transact(businessId, disable, { usesSharedTables: true })
    if (account === undefined) throw errors.acquirer_account_not_found()
    return viewOf(ctx, businessId, account, undefined)
  })
}

async function checkAndStore(
  deps: AcquirersContext,
  caller: Caller,
  id: string,
  edit: AccountEdit,
): Promise<AccountView> {
  const { businessId } = caller
  const found = requireActive(await findAccount(deps.db, businessId, id))
  requireSameAcquirer(found, edit.acquirer)
  const currencies = edit.currencies && readCurrencies(edit.currencies)
  const domainFile = readDomainFile(deps.adapters[found.acquirer], edit.apple_pay_domain_file)
  const checked = await checkEdit(deps, caller, found, edit)
  return storeWithDomainFile(deps, caller, domainFile, async (tx) => {
    const stored = requireActive(await lockAccount(tx, id))
    if (checked !== null && stored.version !== found.version) throw new ChangedMeanwhile()
    const account: SealedAccount = {
      ...stored,
      ...checked,
      name: edit.name ?? stored.name,
      statementDescriptor:
        edit.statement_descriptor === undefined ? stored.statementDescriptor : edit.statement_descriptor,
      methods: edit.methods === undefined ? stored.methods : [...new Set(edit.methods)],
      currencies: currencies ?? stored.currencies,
      rawCardNumbers: edit.raw_card_numbers ?? stored.rawCardNumbers,
      version: stored.version + 1,
      updatedAt: timeOfChange(stored, tx.now),
    }
    await updateAccountRow(tx, account)
    return account
  })
}

async function checkEdit(
  deps: AcquirersDependencies,
  { businessId, environment }: Caller,
  account: SealedAccount,
  edit: AccountEdit,
): Promise<Partial<SealedAccount> | null> {
  const apiBase = edit.api_base === undefined ? account.apiBase : readApiBase(deps.egress, edit.api_base)
  // Otherwise an API key could send the stored credentials to a server of its choice, and so read them.
  if (edit.credentials === undefined && apiBase !== account.apiBase) {
    throw invalid('credentials', 'must be sent again when api_base changes')
  }
  const adapter = deps.adapters[account.acquirer]
  const methods = edit.methods === undefined ? account.methods : [...new Set(edit.methods)]
  const changesMethods = edit.methods !== undefined || edit.wallets !== undefined
  const wallets = editedWallets(adapter, account, methods, edit.wallets)
  if (edit.credentials === undefined && !(adapter.namesWallets === true && changesMethods)) return null
  const credentials =
    edit.credentials === undefined
      ? openCredentials(deps, businessId, account)
      : readCredentials(adapter, edit.credentials)
  const statementDescriptor = edit.statement_descriptor ?? account.statementDescriptor
  const checked = await checkCredentials(deps, adapter, {
    environment,
    credentials,
    apiBase,
    statementDescriptor,
    methods,
    wallets,
  })
  const { merchantId } = checked
  // Payments and tokens of the account would be looked for at the other merchant, and found absent.
  if (merchantId !== account.merchantId) {
    throw errors.credentials_refused({
      param: 'acquirer_account.credentials',
      message: `The credentials belong to ${merchantId}; this account is ${account.merchantId}. Create another account for them.`,
    })
  }
  const sealedCredentials = deps.keyring.seal(
    JSON.stringify(credentials),
    credentialsBinding(businessId, account.id),
  )
  return { apiBase, sealedCredentials, wallets: checked.wallets }
}

function editedWallets(
  adapter: AcquirerAdapter,
  { wallets }: AcquirerAccount,
  methods: readonly string[],
  given: AccountEdit['wallets'],
): Wallets {
  if (given !== undefined) return readWallets(adapter, methods, given)
  return {
    walletA: methods.includes('wallet_a_pay') ? wallets.walletA : null,
    walletB: methods.includes('wallet_b') ? wallets.walletB : null,
  }
}

function openCredentials(
  { keyring }: AcquirersDependencies,
  businessId: string,
  account: SealedAccount,
): Record<string, string> {
  const opened = keyring.open(account.sealedCredentials, credentialsBinding(businessId, account.id))
  return JSON.parse(opened) as Record<string, string>
}

function requireActive<Account extends AcquirerAccount>(account: Account | undefined): Account {
  if (account === undefined) throw errors.acquirer_account_not_found()
  if (account.state !== 'active') throw errors.acquirer_account_disabled()
  return account
}

function requireSameAcquirer(account: AcquirerAccount, acquirer: AcquirerName | undefined): void {
  if (acquirer === undefined || acquirer === account.acquirer) return
  throw errors.acquirer_cannot_change({ param: 'acquirer_account.acquirer' })
}

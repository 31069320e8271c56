import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import type { PageRequest } from '#platform/http/validation/list'
import type { AcquirersDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import { ACCOUNT_FIELDS, findAccount, listAccounts } from '../storage/account.repository.ts'
import { domainFilesOf } from '../storage/domain-file.repository.ts'
import { type AccountView, type AcquirerAccount, viewOf } from '../model/account.ts'

export async function accountsOfPage(
  deps: AcquirersDependencies,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<AccountView[]> {
  const { timeZone } = await deps.businesses.profile(businessId)
  const condition = filterCondition(filter, ACCOUNT_FIELDS, timeZone)
  const accounts = await listAccounts(deps.db, businessId, condition, request)
  return withDomainFiles(deps, businessId, accounts)
}

export async function accountById(
  deps: AcquirersDependencies,
  { businessId }: Caller,
  id: string,
): Promise<AccountView> {
  const account = await findAccount(deps.db, businessId, id)
  if (account === undefined) throw errors.acquirer_account_not_found()
  const [view] = await withDomainFiles(deps, businessId, [account])
  return view ?? viewOf(deps, businessId, account, undefined)
}

async function withDomainFiles(
  deps: AcquirersDependencies,
  businessId: string,
  accounts: readonly AcquirerAccount[],
): Promise<AccountView[]> {
  const mayHave = accounts.some(({ acquirer }) => deps.adapters[acquirer].registersDomains === true)
  const files = mayHave ? await domainFilesOf(deps.db, businessId) : []
  return accounts.map((account) =>
    viewOf(
      deps,
      businessId,
      account,
      files.find(({ accountId }) => accountId === account.id),
    ),
  )
}

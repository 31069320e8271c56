import type { Caller } from '#platform/caller'
import { filterCondition } from '#platform/filter/filter-condition'
import { type Page, type PageRequest, renderPage } from '#platform/http/validation/list'
import { renderAccount } from '../accounts/account.ts'
import type { AcquirersDependencies } from '../dependencies.ts'
import { errors } from '../errors.ts'
import { ACCOUNT_FIELDS, findAccount, listAccounts } from '../storage/account.repository.ts'

export async function accountsPage(
  { db, publicUrl, businesses }: AcquirersDependencies,
  { businessId }: Caller,
  filter: string | undefined,
  request: PageRequest,
): Promise<{ acquirer_accounts: object[]; page: Page }> {
  const condition =
    filter === undefined
      ? undefined
      : filterCondition(filter, ACCOUNT_FIELDS, (await businesses.profile(businessId)).timeZone)
  const list = await listAccounts(db, businessId, condition, request)
  const { rows, page } = renderPage(
    request,
    list,
    ({ createdAt: at, id }) => ({ at, id }),
    (account) => renderAccount(account, businessId, publicUrl()),
  )
  return { acquirer_accounts: rows, page }
}

export async function getAccount(
  { db, publicUrl }: AcquirersDependencies,
  { businessId }: Caller,
  id: string,
): Promise<{ acquirer_account: object }> {
  const account = await findAccount(db, businessId, id)
  if (account === undefined) throw errors.acquirer_account_not_found()
  return { acquirer_account: renderAccount(account, businessId, publicUrl()) }
}

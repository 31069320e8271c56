import type { Database } from '#platform/postgres/database'
import { findTenantOfApp, findTenantOfKey } from '../storage/api-key.repository.ts'
import { apiKeysAfter, businessesAfter, findBusiness, findTenant } from '../storage/repository.ts'
import type { ApiKey, App, BusinessProfile, NamedTenant } from '../model/business.ts'

const PAGE = 500

export async function getBusiness(db: Database, businessId: string): Promise<BusinessProfile> {
  const business = await findBusiness(db.shared, businessId)
  if (business === undefined) throw new Error(`no business ${businessId}`)
  return business
}

export function tenantOf(
  { shared }: Database,
  subject: NamedTenant | App | { readonly keyId: string },
): Promise<string | undefined> {
  if ('code' in subject) return findTenant(shared, subject)
  if ('appId' in subject) return findTenantOfApp(shared, subject.appId, subject.environment)
  return findTenantOfKey(shared, subject.keyId)
}

export function allTenants(db: Database): AsyncGenerator<BusinessProfile> {
  return pageByPage(
    (afterId) => businessesAfter(db.shared, afterId, PAGE),
    (tenant) => tenant.businessId,
  )
}

export function allApiKeys(db: Database): AsyncGenerator<ApiKey> {
  return pageByPage(
    (afterId) => apiKeysAfter(db.shared, afterId, PAGE),
    (key) => key.keyId,
  )
}

async function* pageByPage<Row>(
  pageAfter: (afterId: string) => Promise<Row[]>,
  idOf: (row: Row) => string,
): AsyncGenerator<Row> {
  for (let last: Row | undefined; ;) {
    const page = await pageAfter(last === undefined ? '' : idOf(last))
    yield* page
    if (page.length < PAGE) return
    last = page.at(-1)
  }
}

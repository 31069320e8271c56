import type { Database } from '#platform/postgres/database'
import type { ApiKey, App, BusinessProfile } from '../profiles/business.ts'
import { errors } from './errors.ts'
import {
  type KeyUse,
  type PublicJwk,
  type RegisteredKey,
  withThumbprint,
} from '../authentication/public-key.ts'
import {
  apiKeysAfter,
  appExists,
  businessesAfter,
  findBusiness,
  findPublicKey,
} from '../storage/repository.ts'

const PAGE = 500

export async function getBusiness(db: Database, businessId: string): Promise<BusinessProfile> {
  const business = await findBusiness(db.shared, businessId)
  if (business === undefined) throw new Error(`no business ${businessId}`)
  return business
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

/** A session of the console acts for a business, and not for one of its apps. */
export async function requireApp(db: Database, app: App): Promise<void> {
  if (!(await appExists(db.shared, app))) throw errors.app_missing()
}

export async function findRegisteredKey(db: Database, app: App, use: KeyUse): Promise<PublicJwk | null> {
  const json = await findPublicKey(db.shared, app, use)
  return json === null ? null : (JSON.parse(json) as PublicJwk)
}

export async function getRegisteredKey(db: Database, app: App, use: KeyUse): Promise<RegisteredKey> {
  const key = await findRegisteredKey(db, app, use)
  if (key !== null) return withThumbprint(key)
  throw use === 'signing' ? errors.signing_key_not_found() : errors.encryption_key_not_found()
}

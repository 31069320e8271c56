import type { Database } from '#platform/postgres/database'
import { errors } from '../errors.ts'
import type { App } from '../model/business.ts'
import { appExists, findPublicKey } from '../storage/repository.ts'
import { withThumbprint } from './public-key.ts'
import type { KeyUse, PublicJwk, RegisteredKey } from '../model/public-key.ts'

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
